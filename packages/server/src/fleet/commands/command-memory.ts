import type { FleetAnswer } from "@rightseat/protocol/fleet/command";

export type CommandResult = FleetAnswer["result"];

/** What became of commands that can still be repeated. An id is kept until its command has expired, so that nothing runs twice. */
export interface CommandMemory {
	/** `full`: nothing more can be remembered now, so nothing more may run. */
	begin(key: string, command: { from: string; fingerprint: string; until: number }): Begun;
	/** It ended; a repetition gets this. Forgotten: whoever waits gets it, and a later repetition is carried out. */
	end(key: string, result: CommandResult, isForgotten: boolean): void;
}

export type Begun =
	| { kind: "new" }
	/** The first one with this id still runs, or has ended. */
	| { kind: "known"; fingerprint: string; result: Promise<CommandResult> }
	| { kind: "full" };

/** Commands of one minute. */
const MAX_REMEMBERED_COMMANDS = 10_000;
/** Of these by one host, so that one that runs wild does not keep out the others. */
const MAX_REMEMBERED_PER_HOST = 2_000;
/** Their answers together; one that does not fit is remembered as done, without what it said. */
const MAX_REMEMBERED_CHARS = 4_194_304;

interface Entry {
	from: string;
	fingerprint: string;
	until: number;
	chars: number;
	result: Promise<CommandResult>;
	settle(result: CommandResult): void;
	isRunning: boolean;
}

export function createCommandMemory(
	now: () => number,
	limits = { commands: MAX_REMEMBERED_COMMANDS, perHost: MAX_REMEMBERED_PER_HOST, chars: MAX_REMEMBERED_CHARS },
): CommandMemory {
	const entries = new Map<string, Entry>();
	const counts = new Map<string, number>();
	let chars = 0;
	const count = (from: string, by: number) => {
		const next = (counts.get(from) ?? 0) + by;
		if (next === 0) counts.delete(from);
		else counts.set(from, next);
	};
	const forget = (key: string) => {
		const entry = entries.get(key);
		if (entry === undefined) return;
		chars -= entry.chars;
		count(entry.from, -1);
		entries.delete(key);
	};
	const sweep = () => {
		for (const [key, { until, isRunning }] of entries) if (!isRunning && until < now()) forget(key);
	};
	return {
		begin(key, { from, fingerprint, until }) {
			const known = entries.get(key);
			if (known !== undefined) return { kind: "known", fingerprint: known.fingerprint, result: known.result };
			const isFull = () => entries.size >= limits.commands || (counts.get(from) ?? 0) >= limits.perHost;
			if (isFull()) sweep();
			if (isFull()) return { kind: "full" };
			let settle: Entry["settle"] = () => undefined;
			const result = new Promise<CommandResult>((resolve) => {
				settle = resolve;
			});
			count(from, 1);
			entries.set(key, { from, fingerprint, until, chars: 0, result, settle, isRunning: true });
			return { kind: "new" };
		},
		end(key, result, isForgotten) {
			const entry = entries.get(key);
			if (entry === undefined || !entry.isRunning) return;
			entry.isRunning = false;
			entry.settle(result);
			if (isForgotten) return forget(key);
			const size = JSON.stringify(result).length;
			if (chars + size > limits.chars) sweep();
			const fits = chars + size <= limits.chars;
			entry.result = Promise.resolve(fits ? result : withoutWords(result));
			entry.chars = fits ? size : 0;
			chars += entry.chars;
		},
	};
}

const withoutWords = (result: CommandResult): CommandResult =>
	result.kind === "done" ? { kind: "done", frames: [] } : { ...result, message: result.message.slice(0, 200) };
