import { quote } from "./wrapper.ts";

/** Shell state as named records; each is a piece of bash that restores it. Bytes are kept as latin1, so they survive exactly. */
export type StateView = ReadonlyMap<string, string>;

export interface Snapshot {
	state: StateView;
	/** The variables are not in it: the command ended inside a function. */
	partial: boolean;
	cwd: string;
	/** Process ids of background children, as bash knows them. */
	jobs: number[];
}

/** Never kept: the next command would fail, hang or flood because of them. */
const OPTIONS_NOT_KEPT = new Set(["errexit", "nounset", "xtrace", "verbose", "noexec", "monitor", "onecmd", "history"]);

/** Reads what the wrapper wrote; undefined if it is not whole. */
export function parseSnapshot(bytes: Buffer): Snapshot | undefined {
	const records = bytes.toString("latin1").split("\0");
	if (records.pop() !== "END") return undefined;
	let at = 0;
	const next = () => records[at++] ?? "";
	const state = new Map<string, string>();

	const partial = next() === "none";
	for (let text = next(); text !== ""; text = next()) {
		const name = /^declare -\S+ ([A-Za-z_][A-Za-z0-9_]*)/.exec(text)?.[1];
		if (name !== undefined) state.set(`v:${name}`, trimNewline(text));
	}
	for (let name = next(); name !== ""; name = next()) state.set(`f:${name}`, trimNewline(next()));
	for (let name = next(); name !== ""; name = next()) state.set(`a:${name}`, trimNewline(next()));
	for (const line of next().split("\n")) {
		const name = /^set [-+]o (\S+)$/.exec(line)?.[1];
		if (name !== undefined && !OPTIONS_NOT_KEPT.has(name)) state.set(`o:${name}`, line);
	}
	for (const line of next().split("\n")) {
		const name = /^shopt -[su] (\S+)$/.exec(line)?.[1];
		if (name !== undefined) state.set(`s:${name}`, line);
	}
	state.set("umask", trimNewline(next()));
	const directories: string[] = [];
	for (let text = next(); text !== ""; text = next()) directories.unshift(trimNewline(text));
	if (directories.length > 0) state.set("dirs", directories.map((path) => `builtin pushd -n -- ${quote(path)} >/dev/null`).join("\n"));
	const cwd = Buffer.from(trimNewline(next()), "latin1").toString("utf8");
	const jobs = next().split("\n").filter(Boolean).map(Number);
	return { state, partial, cwd, jobs };
}

/** Changes to a state: a record, or null for one that is gone. */
export type StateDelta = Map<string, string | null>;

/** What a command changed, compared with what it started from. */
export function stateDelta(before: StateView, after: Snapshot): StateDelta {
	const delta: StateDelta = new Map();
	for (const [name, text] of after.state) if (before.get(name) !== text) delta.set(name, text);
	for (const name of before.keys()) {
		if (after.state.has(name) || (after.partial && name.startsWith("v:"))) continue;
		delta.set(name, null);
	}
	return delta;
}

/** A script that turns a fresh shell into one with these changes. */
export function restoreScript(overlay: ReadonlyMap<string, string | null>): string {
	const of = (prefix: string) => [...overlay].filter(([name]) => name.startsWith(prefix));
	const kept = (prefix: string) => of(prefix).flatMap(([, text]) => (text === null ? [] : [text]));
	const gone = (prefix: string, command: string) =>
		of(prefix).flatMap(([name, text]) => (text === null ? [`builtin ${command} ${quote(name.slice(prefix.length))}`] : []));
	return [
		// A function may need extended patterns to be read, whatever is set now.
		"builtin shopt -s extglob",
		...gone("v:", "unset -v"),
		...kept("v:"),
		...gone("f:", "unset -f"),
		...kept("f:"),
		"builtin shopt -u extglob",
		...kept("s:"),
		...gone("a:", "unalias --"),
		...kept("a:"),
		...kept("umask"),
		...kept("dirs"),
		...kept("o:"),
		"",
	].join("\n");
}

function trimNewline(text: string): string {
	return text.endsWith("\n") ? text.slice(0, -1) : text;
}
