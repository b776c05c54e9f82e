import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { restoreScript, type Snapshot, type StateDelta, type StateView, stateDelta } from "./snapshot.ts";

/** Shell state per conversation: what its commands changed, compared with a fresh shell. Kept on disk. */
export interface StateStore {
	/** What a fresh shell looks like; known before the first command. */
	setBase(base: StateView): void;
	/** A moment, to be taken when a command is asked for. */
	tick(): number;
	/** For a command that starts now and was asked for at that moment; `fresh`: in a shell that nobody has changed. */
	begin(conversation: string, askedAt: number, fresh?: boolean): StateRun;
	/** Whether a program that is started now would find nothing that commands of this conversation have changed. */
	isPlain(conversation: string): boolean;
	/** Forgets everything; commands that still run add nothing to it. */
	reset(conversation: string): void;
}

export interface StateRun {
	/** Script that restores the state, or null when there is nothing to restore. */
	readonly restore: string | null;
	/** Adds what the command changed to whatever others have changed meanwhile. */
	merge(snapshot: Snapshot): void;
}

/** Conversations whose state is held in memory; the others are read again when needed. */
const MAX_IN_MEMORY = 64;
/** Scripts of older versions that commands, just started, may still have to read. */
const OLD_SCRIPTS = 4;

interface Held {
	overlay: StateDelta;
	version: number;
	/** Commands that started before the last reset add nothing. */
	resetAt: number;
}

export function createStateStore(directory: (conversation: string) => string): StateStore {
	const held = new Map<string, Held>();
	let base: StateView = new Map();
	let ticks = 0;

	const scriptPath = (conversation: string, version: number) => join(directory(conversation), `restore-${version % (OLD_SCRIPTS + 1)}.sh`);
	const statePath = (conversation: string) => join(directory(conversation), "state.json");

	function get(conversation: string): Held {
		const known = held.get(conversation);
		const state = known ?? { overlay: readState(statePath(conversation)), version: 0, resetAt: 0 };
		held.delete(conversation);
		held.set(conversation, state);
		for (const oldest of held.keys()) {
			if (held.size <= MAX_IN_MEMORY) break;
			held.delete(oldest);
		}
		if (known === undefined && state.overlay.size > 0) write(conversation, state);
		return state;
	}

	function write(conversation: string, state: Held): void {
		state.version++;
		mkdirSync(directory(conversation), { recursive: true, mode: 0o700 });
		replaceFile(scriptPath(conversation, state.version), Buffer.from(restoreScript(state.overlay), "latin1"));
		replaceFile(statePath(conversation), JSON.stringify([...state.overlay]));
	}

	return {
		setBase(view) {
			base = view;
		},
		tick: () => ++ticks,
		begin(conversation, askedAt, fresh = false) {
			const state = get(conversation);
			const before = fresh ? base : applied(base, state.overlay);
			return {
				restore: fresh || state.overlay.size === 0 ? null : scriptPath(conversation, state.version),
				merge(snapshot) {
					const now = get(conversation);
					if (askedAt < now.resetAt) return;
					const delta = stateDelta(before, snapshot);
					if (delta.size === 0) return;
					for (const [name, text] of delta) {
						if (base.get(name) === (text ?? undefined)) now.overlay.delete(name);
						else now.overlay.set(name, text);
					}
					write(conversation, now);
				},
			};
		},
		isPlain: (conversation) => [...get(conversation).overlay].every(([name, text]) => isUnseen(name, text, base)),
		reset(conversation) {
			held.set(conversation, { overlay: new Map(), version: 0, resetAt: ++ticks });
			if (existsSync(statePath(conversation))) unlinkSync(statePath(conversation));
			for (let version = 0; version <= OLD_SCRIPTS; version++) rmSync(scriptPath(conversation, version), { force: true });
		},
	};
}

function applied(base: StateView, overlay: StateDelta): StateView {
	if (overlay.size === 0) return base;
	const view = new Map(base);
	for (const [name, text] of overlay) {
		if (text === null) view.delete(name);
		else view.set(name, text);
	}
	return view;
}

/** A variable of the shell alone, and the way back of `cd -`: no program is found, started or told otherwise because of it. */
function isUnseen(name: string, text: string | null, base: StateView): boolean {
	if (name === "v:OLDPWD") return true;
	const attributes = /^declare -(\S+) /.exec(text ?? "")?.[1];
	return attributes !== undefined && !/[xn]/.test(attributes) && name.startsWith("v:") && !base.has(name);
}

function readState(path: string): StateDelta {
	const overlay: StateDelta = new Map();
	try {
		const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
		if (!Array.isArray(entries)) return overlay;
		for (const entry of entries) {
			if (!Array.isArray(entry)) continue;
			const [name, text]: unknown[] = entry;
			if (typeof name === "string" && (typeof text === "string" || text === null)) overlay.set(name, text);
		}
	} catch (error) {
		// No state yet, or one that a crash left half written: a fresh shell is right in both cases.
		if (!(error instanceof Error)) throw error;
	}
	return overlay;
}

function replaceFile(path: string, content: string | Buffer): void {
	writeFileSync(`${path}.new`, content, { mode: 0o600 });
	renameSync(`${path}.new`, path);
}
