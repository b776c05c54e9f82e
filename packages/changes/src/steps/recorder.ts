import { homedir } from "node:os";
import type { PackStore } from "../blobs/pack-store.ts";
import type { OpenWindow } from "../client/tracker.ts";
import { listSteps } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { NotCoveredReason } from "../model.ts";
import { nameOf, parentOf } from "../paths/byte-path.ts";
import type { OwnFiles } from "../paths/own-files.ts";
import { findConversions } from "../walk/git-conversions.ts";
import { readTracked } from "../walk/git-files.ts";
import { adopt } from "../walk/look.ts";
import { findFolder, type Walk, type WalkMode, type WalkOptions } from "../walk/tree.ts";
import type { Window } from "./attribution.ts";
import { loadKnown, rootId } from "./known-files.ts";
import { realPlaces } from "./named-files.ts";
import type { Naming } from "./state-before.ts";
import { encodeState } from "./state-code.ts";
import { copyPending, drain, isWatching, type PassLimits, runPass } from "./sync-pass.ts";
import { createSyncPoints } from "./sync-points.ts";

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
	/** Closes its windows and looks at everything once more; what the kernel named is written down before that. False: it had none. */
	endChange(changeId: string): boolean;
	/** Reads for this long what the ends of changes had no time for; false when nothing more is owed. */
	complete(ms: number): boolean;
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
	const { root, refused, index, now } = options;
	const points = createSyncPoints(options);
	const { walk, windows, named, owed, sync, save, saveFound } = points;

	function cover(window: Window, paths: Iterable<string>, naming: Naming): void {
		saveFound(named.cover(window, paths, naming));
	}

	return {
		start() {
			const reopened = windows.kept();
			for (const window of reopened) windows.add(window, "recorder-down", now());
			if (refused) return;
			const isKnown = loadKnown(index, points.id, walk);
			lookFirst(walk, !isKnown ? "baseline" : reopened.length > 0 ? "record" : "quiet", options.home ?? homedir());
			walk.events.touched("", walk.top);
			saveFound([]);
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
			const since = points.syncedAt;
			if (!isEarlier) sync();
			const window = windows.add(request, late, isEarlier ? since : points.syncedAt);
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
			const isDue = windows.isTurn(changeId) || now() - points.lookedAt >= FULL_LOOK_MS;
			const full = isDue && windows.wholeChanges().includes(changeId);
			if (full && isWatching(walk)) sync();
			sync({ full });
			for (const window of windows.list()) if (window.changeId === changeId) named.noteRemoved(window);
			windows.removeChange(changeId);
			rootId(index, root, { refused, now: now() });
			named.keep(windows.named());
			return true;
		},
		complete(ms) {
			const until = performance.now() + ms;
			for (let path = owed.next(); path !== undefined && performance.now() < until; path = owed.next()) {
				owed.spend(walk.pending.get(path)?.stat.size ?? 0);
				copyPending(walk, Number.POSITIVE_INFINITY, path);
				save([]);
				owed.drop(path);
			}
			return owed.size > 0;
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
