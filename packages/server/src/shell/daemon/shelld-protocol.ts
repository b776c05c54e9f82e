/**
 * What the server and its shell process say to each other. Both are ours and of one build, so messages are told apart by
 * their kind only; nothing from outside arrives here unchecked.
 */
export type ToShelld =
	| { kind: "init"; home: string; env: Record<string, string>; secrets: string[] }
	| ({ kind: "run" } & RunRequest)
	| { kind: "kill"; key: string; cause: Exclude<EndCause, "exited"> }
	| { kind: "output"; request: number; key: string; filter?: string | undefined; newOnly: boolean; limit: number }
	/** The output of an ended command is not needed any more. */
	| { kind: "drop"; key: string }
	/** The shell state of a conversation starts anew. */
	| { kind: "reset"; conversation: string }
	/** Kill what runs for it and remove its state and files. */
	| { kind: "forget"; request: number; conversation: string }
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
	| { kind: "gone"; key: string; cause: EndCause; survivors?: number[] }
	| { kind: "watch"; key: string; ports: number[]; tail: string }
	| { kind: "reply"; request: number; ok: boolean; text: string };

export type EndCause = "exited" | "killed" | "aborted" | "timed-out";

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
	killed?: { processes: number; forced: boolean; survivors?: number[] };
}

export function isToShelld(message: unknown): message is ToShelld {
	return hasKind(message);
}

export function isFromShelld(message: unknown): message is FromShelld {
	return hasKind(message);
}

function hasKind(message: unknown): boolean {
	return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}
