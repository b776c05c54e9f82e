import {
	hasShape,
	isFlag,
	isNumber,
	isOneOf,
	isText,
	listOf,
	oneOf,
	optional,
	orNull,
	recordOf,
	type Shape,
	type Shapes,
} from "@rightseat/protocol/message-shape";

/**
 * What the server and its shell process say to each other. Both are ours and of one build; a message that is none of these
 * is dropped, whole.
 */
export type ToShelld =
	| {
			kind: "init";
			home: string;
			env: Record<string, string>;
			secrets: string[];
			/** Begins the mark of what the server starts by itself and what must not outlive it. */
			marks?: string | undefined;
	  }
	| ({ kind: "run" } & RunRequest)
	| { kind: "kill"; key: string; cause: KillCause }
	| { kind: "output"; request: number; key: string; filter?: string | undefined; newOnly: boolean; limit: number }
	/** The output of an ended command is no longer needed. */
	| { kind: "drop"; key: string }
	/** The shell state of a conversation starts anew. */
	| { kind: "reset"; conversation: string }
	/** Kill what runs for it and remove its state and files. */
	| { kind: "forget"; request: number; conversation: string }
	/** Whether a program would find nothing that earlier commands of the conversation have changed in its shell. */
	| { kind: "plain"; request: number; conversation: string }
	| { kind: "close" };

export interface RunRequest {
	/** Unique among all commands of this server. */
	key: string;
	/** Without one the command has a state of its own that is dropped afterwards. */
	conversation: string | null;
	command: string;
	cwd: string;
	/** Where to run when `cwd` is gone. */
	fallbackCwd: string;
	/** In a shell that nobody has changed, and in `cwd`, a real path, or not at all. */
	fresh?: boolean | undefined;
	timeoutMs: number | null;
	onTimeout: "kill" | "background";
	background: boolean;
	/** `head`: the first 64 KB for a person. `model`: beginning and end within `limit`. */
	want: "head" | "model";
	limit: number;
}

export type FromShelld =
	| { kind: "ready" }
	| { kind: "started"; key: string; pid: number }
	| { kind: "live"; key: string; text: string }
	/** The time is up and the command goes on in the background. */
	| { kind: "promoted"; key: string; output: string; durationMs: number }
	| { kind: "end"; key: string; end: CommandEnd }
	/** Processes that a command left behind have all ended, but for the survivors, which nothing can end. */
	| { kind: "gone"; key: string; cause: EndCause; survivors?: number[] | undefined }
	| { kind: "watch"; key: string; ports: number[]; tail: string }
	| { kind: "reply"; request: number; ok: boolean; text: string };

/** Why somebody else ended a command. */
export type KillCause = "killed" | "timed_out";
/** How a command ended, in the words of the wire; `lost`, with the shell process itself, only the server can say. */
export type EndCause = "exited" | KillCause;

export interface CommandEnd {
	cause: EndCause;
	exitCode: number | null;
	signal: string | null;
	durationMs: number;
	output: string;
	truncated: boolean;
	/** The directory after the command, if it changed. */
	cwd: string | null;
	/** Processes that still run; the command goes on as a background job with the same key. */
	leftovers: { pid: number; command: string }[];
	/** Sentences about what was not as asked: directory gone, state not kept. */
	notices: string[];
	/** How many processes had to be ended, and whether TERM was not enough. */
	killed?: { processes: number; forced: boolean; survivors?: number[] | undefined } | undefined;
}

export const isToShelld = (message: unknown): message is ToShelld => isOneOf<ToShelld>(message, TO_SHELLD);
export const isFromShelld = (message: unknown): message is FromShelld => isOneOf<FromShelld>(message, FROM_SHELLD);

const isCause = oneOf("exited", "killed", "timed_out");
const isPids = listOf(isNumber);

const TO_SHELLD: Shapes<ToShelld> = {
	init: { home: isText, env: recordOf(isText), secrets: listOf(isText), marks: optional(isText) },
	run: {
		key: isText,
		conversation: orNull(isText),
		command: isText,
		cwd: isText,
		fallbackCwd: isText,
		fresh: optional(isFlag),
		timeoutMs: orNull(isNumber),
		onTimeout: oneOf("kill", "background"),
		background: isFlag,
		want: oneOf("head", "model"),
		limit: isNumber,
	},
	kill: { key: isText, cause: oneOf("killed", "timed_out") },
	output: { request: isNumber, key: isText, filter: optional(isText), newOnly: isFlag, limit: isNumber },
	drop: { key: isText },
	reset: { conversation: isText },
	forget: { request: isNumber, conversation: isText },
	plain: { request: isNumber, conversation: isText },
	close: {},
};

const KILLED: Shape<NonNullable<CommandEnd["killed"]>> = { processes: isNumber, forced: isFlag, survivors: optional(isPids) };
const LEFTOVER: Shape<CommandEnd["leftovers"][number]> = { pid: isNumber, command: isText };
const END: Shape<CommandEnd> = {
	cause: isCause,
	exitCode: orNull(isNumber),
	signal: orNull(isText),
	durationMs: isNumber,
	output: isText,
	truncated: isFlag,
	cwd: orNull(isText),
	leftovers: listOf((value) => hasShape(value, LEFTOVER)),
	notices: listOf(isText),
	killed: optional((value) => hasShape(value, KILLED)),
};

const FROM_SHELLD: Shapes<FromShelld> = {
	ready: {},
	started: { key: isText, pid: isNumber },
	live: { key: isText, text: isText },
	promoted: { key: isText, output: isText, durationMs: isNumber },
	end: { key: isText, end: (value) => hasShape(value, END) },
	gone: { key: isText, cause: isCause, survivors: optional(isPids) },
	watch: { key: isText, ports: isPids, tail: isText },
	reply: { request: isNumber, ok: isFlag, text: isText },
};
