import { statfsSync } from "node:fs";
import type { PackStore } from "../blobs/pack-store.ts";
import { readOuterRules } from "../ignore/outer-rules.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import { fsPath } from "../paths/byte-path.ts";
import { isOwnFile, type OwnFiles } from "../paths/own-files.ts";
import { createRecorder, type Recorder } from "../steps/recorder.ts";
import { loadNative } from "../undo/native.ts";
import { tidyUpRoot, type Undoing, undoChanges } from "../undo/undo-changes.ts";
import { createInotify } from "../watch/inotify.ts";
import type { Answer, Ask } from "./tracker-protocol.ts";

/** Files of one root that are kept in sight. */
export const MAX_FILES = 100_000;
/** What one sync point may read, and what a first copy may. */
const MAX_SYNC_BYTES = 400 * 1024 * 1024;
/** What one sync point may take; whoever waits for it goes on after this long. */
export const SYNC_MS = 2_000;
/** The first copy yields to whoever asks after so long. */
const COPY_SLICE_MS = 15;
/** A copy that failed is tried again after this long. */
const COPY_RETRY_MS = 10_000;
/** How often the kernel's queue is emptied while somebody is at work. */
const LISTEN_MS = 1_000;

export interface RootThreadDeps {
	root: string;
	refused: boolean;
	own: OwnFiles;
	index: ChangesIndex;
	blobs: PackStore;
	progress(): void;
	/** Undos that write while it starts: in this root, or anywhere. */
	undoing?: Undoing | undefined;
}

/** Everything that is done in the thread of one root. */
export interface RootThread {
	answer(ask: Ask): Answer | Promise<Answer>;
	close(): void;
}

export async function createRootThread(deps: RootThreadDeps): Promise<RootThread> {
	const { root, own, index, blobs } = deps;
	// A root among our own files is recorded as little as they are.
	const refused = deps.refused || isOwnFile(root, own);
	const watcher = refused || hasNoEvents(root) ? undefined : await createInotify();
	const below = own.flatMap((path) => (path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : []));
	const recorder = createRecorder({
		...{ ...deps, refused, watcher, now: Date.now, excluded: new Set(below), outerRules: readOuterRules(root) },
		...{ maxFiles: MAX_FILES, maxCopyBytes: MAX_SYNC_BYTES, limits: { ms: SYNC_MS, bytes: MAX_SYNC_BYTES } },
	});
	const undo = { index, blobs, native: await loadNative(), now: Date.now };
	tidyUpRoot(root, undo, deps.undoing);
	recorder.start();
	const copy = createFirstCopy(recorder);
	const timer = setInterval(() => recorder.windows > 0 && recorder.listen(), LISTEN_MS);

	/** While it rests everything waits but what ends that. */
	let held: { over: Promise<void>; end(): void } | undefined;
	function hold(): void {
		let end: () => void = () => undefined;
		const over = new Promise<void>((resolve) => {
			end = resolve;
		});
		held ??= { over, end };
	}
	function goOn(): void {
		held?.end();
		held = undefined;
	}

	async function answer(ask: Ask): Promise<Answer> {
		while (held !== undefined && ask.kind !== "refresh") await held.over;
		switch (ask.kind) {
			case "open":
				recorder.openWindow(ask.window, Date.now() > ask.deadline ? "too-slow" : undefined);
				break;
			case "add-paths":
				recorder.addPaths(ask.windowId, ask.paths, ask);
				break;
			case "close-window":
				recorder.closeWindow(ask.windowId);
				break;
			case "end":
				if (recorder.endChange(ask.changeId)) {
					while (recorder.complete(COPY_SLICE_MS)) await new Promise((resolve) => setImmediate(resolve));
					await blobs.sync();
				}
				index.checkpoint();
				break;
			case "copied":
				await copy.done();
				break;
			case "undo": {
				recorder.sync();
				const result = await undoChanges(ask.undo, undo);
				// One that a crash had cut has its own id.
				recorder.refresh(result?.change?.id ?? ask.undo.newChangeId);
				copy.go();
				return { kind: "undone", result };
			}
			case "hold":
				recorder.sync();
				hold();
				return { kind: "done" };
			case "refresh":
				goOn();
				recorder.refresh(ask.changeId);
				break;
			case "verify":
				recorder.verify();
				break;
			default:
				return { kind: "failed", reason: `${ask.kind} is not asked of a root` };
		}
		copy.go();
		return { kind: "done" };
	}

	return {
		answer,
		close() {
			clearInterval(timer);
			copy.stop();
			watcher?.close();
		},
	};
}

/** Copies in slices between which others get their turn. */
function createFirstCopy(recorder: Recorder) {
	let running = false;
	let stopped = false;
	let waiting: (() => void)[] = [];
	function go(): void {
		if (running || stopped) return;
		running = true;
		setImmediate(slice);
	}
	function slice(): void {
		running = false;
		if (stopped) return;
		try {
			if (recorder.copy(COPY_SLICE_MS)) {
				go();
				return;
			}
		} catch (error) {
			// As on a full disk: nothing is lost but time.
			process.stderr.write(`the first copy waits: ${error instanceof Error ? error.message : String(error)}\n`);
			setTimeout(go, COPY_RETRY_MS).unref();
			return;
		}
		for (const resolve of waiting) resolve();
		waiting = [];
	}
	go();
	return {
		go,
		done: () => (recorder.pending === 0 ? Promise.resolve() : new Promise<void>((resolve) => void waiting.push(resolve))),
		stop() {
			stopped = true;
		},
	};
}

/** What another machine does on these raises no event here. */
const WITHOUT_EVENTS = new Set([
	...[
		0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x01021997, 0x65735546, 0x6a656a63, 0x00c36400, 0x5346414f, 0x786f4256, 0x0bd00bd0, 0x47504653,
	],
]);

function hasNoEvents(root: string): boolean {
	try {
		return WITHOUT_EVENTS.has(statfsSync(fsPath(root, "")).type);
	} catch {
		// Then a full look each time says what is there.
		return true;
	}
}
