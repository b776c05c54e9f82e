import { homedir } from "node:os";
import type { PackStore } from "../blobs/pack-store.ts";
import type { OpenWindow } from "../client/tracker.ts";
import { listSteps, type NewStep } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { NotCoveredReason } from "../model.ts";
import { nameOf, parentOf } from "../paths/byte-path.ts";
import type { OwnFiles } from "../paths/own-files.ts";
import { findConversions } from "../walk/git-conversions.ts";
import { readHead, readTracked } from "../walk/git-files.ts";
import { createGitObjects } from "../walk/git-objects.ts";
import { adopt } from "../walk/look.ts";
import { createWalk, findFolder, type Walk, type WalkMode, type WalkOptions } from "../walk/tree.ts";
import type { Window } from "./attribution.ts";
import { createCoverage } from "./cover-named.ts";
import { createFindings, saveFindings } from "./findings.ts";
import { loadKnown, rootId } from "./known-files.ts";
import { realPlaces } from "./named-files.ts";
import { createOpenWindows } from "./open-windows.ts";
import type { Naming } from "./state-before.ts";
import { encodeState } from "./state-code.ts";
import { copyPending, drain, isWatching, type PassLimits, runPass } from "./sync-pass.ts";

/** Records one root. Everything is synchronous; whoever must not wait calls it from another thread. */
export interface Recorder {
	/** Looks at the root for the first time. Windows that were open when the recorder last ended are open again: what happened since counts as theirs. */
	start(): void;
	/** Makes the first copy for this long; false when it is complete. */
	copy(ms: number): boolean;
	/** `late`: what was to be recorded may have begun already. */
	openWindow(window: OpenWindow, late: NotCoveredReason | undefined): void;
	addPaths(windowId: string, paths: readonly string[], naming?: Partial<Omit<Naming, "since">>): void;
	closeWindow(windowId: string): void;
	/** Closes its windows and looks at everything once more. False: it had none. */
	endChange(changeId: string): boolean;
	/** A full look while nobody is at work; what it finds was done by outsiders. */
	verify(): void;
	/** Takes what the kernel has to say, so that its queue does not overflow; looks at nothing. */
	listen(): void;
	/** A sync point of its own. */
	sync(): void;
	/** An undo wrote these steps, and wrote them down: nothing of it is told again. What others did meanwhile is. */
	refresh(changeId: string): void;
	/** Sync points cost what changed; else each looks at everything. */
	readonly watching: boolean;
	readonly files: number;
	readonly pending: number;
	readonly windows: number;
}

export interface RecorderOptions extends Pick<WalkOptions, "watcher" | "outerRules" | "excluded" | "maxFiles" | "maxCopyBytes"> {
	root: string;
	own: OwnFiles;
	/** Only named files are covered. */
	refused: boolean;
	index: ChangesIndex;
	blobs: PackStore;
	now(): number;
	/** Called for every folder that answers. */
	progress?: () => void;
	limits: PassLimits;
	/** Where git's settings of this user lie; the home directory unless a test says otherwise. */
	home?: string;
}

/** A full look at the end of a person's command is not made again before so long. */
const FULL_LOOK_MS = 60_000;

export function createRecorder(options: RecorderOptions): Recorder {
	const { root, refused, index, blobs, now, limits } = options;
	const found = createFindings(options.progress ?? (() => undefined));
	const objects = createGitObjects(root);
	const walk = createWalk({
		...{ ...options, root: refused ? "" : root, events: found.events },
		...{ store: (bytes) => blobs.put(bytes), readObject: objects.read },
	});
	const named = createCoverage({ ...options, walk });
	const windows = createOpenWindows({ index, root, refused, now });
	const id = rootId(index, root, { refused, now: now() });
	let head = readHead(root);
	let lookedAt = 0;
	let syncedAt = now();

	/** The one way in which time passes: what happened since the last one belongs to the windows that are open. */
	function sync({ full = false, known = NOTHING }: { full?: boolean; known?: ReadonlySet<string> } = {}): void {
		const before = head;
		syncedAt = now();
		if (!refused) {
			runPass(walk, { full, named: named.inRoot(windows.named()), limits });
			head = readHead(root);
			if (full) lookedAt = now();
		}
		const steps = stepsIn(found.differences.filter(({ path, after }) => !known.has(`${path}\0${encodeState(after)}`)));
		const moved = before !== head ? { head: { from: before, to: head } } : {};
		save([...steps.map((step) => ({ ...step, ...moved })), ...named.look()]);
	}

	const stepsIn = (differences: typeof found.differences): NewStep[] => {
		const at = now();
		return differences.map((difference) => ({ root, ...difference, at }));
	};

	function save(steps: readonly NewStep[]): void {
		objects.close();
		saveFindings({ index, blobs, root, id, windows }, found, steps);
	}

	function cover(window: Window, paths: Iterable<string>, naming: Naming): void {
		const steps = named.cover(window, paths, naming);
		save([...stepsIn(found.differences), ...steps]);
	}

	return {
		start() {
			const reopened = windows.kept();
			for (const window of reopened) windows.add(window, "recorder-down", now());
			if (refused) return;
			const isKnown = loadKnown(index, id, walk);
			lookFirst(walk, !isKnown ? "baseline" : reopened.length > 0 ? "record" : "quiet", options.home ?? homedir());
			found.known.set("", walk.top);
			save(stepsIn(found.differences));
		},
		copy(ms) {
			copyPending(walk, performance.now() + ms);
			save([]);
			return walk.pending.size > 0;
		},
		openWindow(request, late) {
			// Never inside a transaction: a root that does not answer would keep all others from the index.
			if (windows.find(request.windowId) !== undefined) return;
			const isEarlier = request.since === "last-sync" || late !== undefined;
			const since = syncedAt;
			if (!isEarlier) sync();
			const window = windows.add(request, late, isEarlier ? since : syncedAt);
			cover(window, window.exact, { isTimely: !isEarlier, since });
			if (isEarlier) sync();
		},
		addPaths(windowId, paths, { isTimely = false, claim } = {}) {
			const window = windows.find(windowId);
			if (window === undefined) return;
			const places = paths.flatMap(realPlaces);
			for (const path of places) window.exact.add(path);
			cover(window, places, { isTimely, since: window.since, claim });
		},
		closeWindow(windowId) {
			const window = windows.find(windowId);
			if (window === undefined) return;
			sync();
			named.noteRemoved(window);
			windows.remove(windowId);
			named.keep(windows.named());
		},
		endChange(changeId) {
			if (!windows.changes().includes(changeId)) return false;
			// After a turn everything is looked at; for a single command what the kernel says is believed for a while.
			const isDue = windows.isTurn(changeId) || now() - lookedAt >= FULL_LOOK_MS;
			sync({ full: isDue && windows.wholeChanges().includes(changeId) });
			for (const window of windows.list()) if (window.changeId === changeId) named.noteRemoved(window);
			windows.removeChange(changeId);
			rootId(index, root, { refused, now: now() });
			named.keep(windows.named());
			return true;
		},
		verify() {
			if (windows.list().length === 0) sync({ full: true });
		},
		listen: () => drain(walk),
		sync: () => sync(),
		refresh(changeId) {
			const steps = listSteps(index, changeId).filter((step) => step.root === root);
			sync({ known: new Set(steps.map(({ path, after }) => `${path}\0${encodeState(after)}`)) });
		},
		get watching() {
			return isWatching(walk);
		},
		get files() {
			return walk.files;
		},
		get pending() {
			return walk.pending.size;
		},
		get windows() {
			return windows.list().length;
		},
	};
}

const NOTHING: ReadonlySet<string> = new Set();

/** Everything once, and what is tracked although it is ignored. Until a tracked file is copied, the repository's own copy stands for it. */
function lookFirst(walk: Walk, mode: WalkMode, home: string): void {
	walk.mode = mode;
	runPass(walk, { full: true, named: [], limits: { ms: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY } });
	if (mode === "record") walk.mode = "baseline";
	const tracked = readTracked(walk.root);
	const isConverted = findConversions(walk, home);
	for (const [at, path] of tracked.names.entries()) {
		if (findFolder(walk, parentOf(path))?.children.has(nameOf(path)) !== true) adopt(walk, path);
		const leaf = walk.pending.get(path);
		const object = leaf && tracked.objectOf(at, leaf.stat);
		if (object !== undefined && !isConverted(path)) walk.inGit.set(path, object);
	}
	walk.mode = "record";
}
