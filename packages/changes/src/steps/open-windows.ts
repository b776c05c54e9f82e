import type { OpenWindow } from "../client/tracker.ts";
import { isOpenWindow } from "../daemon/tracker-protocol.ts";
import { addChange, addMissed } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { NotCoveredReason } from "../model.ts";
import type { Window } from "./attribution.ts";
import { realPlaces } from "./named-files.ts";

/** Who is at work in a root, and for which changes. */
export interface OpenWindows {
	list(): Window[];
	find(windowId: string): Window | undefined;
	/** Ids of open changes: a window of theirs was opened, and they have not ended. */
	changes(): string[];
	/** Those with a window over the whole root. */
	wholeChanges(): string[];
	/** Of an open change: a turn, not a single command. */
	isTurn(changeId: string): boolean;
	/** Written down when it is the first of its change. `late`: what was to be recorded may have begun already. */
	add(request: OpenWindow, late: NotCoveredReason | undefined, since: number): Window;
	/** Those that were open when the recorder ended. */
	kept(): OpenWindow[];
	remove(windowId: string): void;
	removeChange(changeId: string): void;
	/** Files that open windows name, absolute. */
	named(): Set<string>;
}

export function createOpenWindows(deps: { index: ChangesIndex; root: string; refused: boolean; now(): number }): OpenWindows {
	const { index, root, refused, now } = deps;
	const windows = new Map<string, Window>();
	/** True when a window of theirs was over the whole root. */
	const changes = new Map<string, boolean>();
	const turns = new Set<string>();

	function note(request: OpenWindow, isWhole: boolean, late: NotCoveredReason | undefined): void {
		const { changeId, conversationId, kind, messageId, label } = request;
		if (!changes.has(changeId)) addChange(index, { id: changeId, conversationId, kind, messageId, label, root, at: now() });
		// A window over no file at all only begins a change: when it is late nothing was missed.
		if (late !== undefined && (late !== "too-slow" || request.paths?.length !== 0))
			addMissed(index, { changeId, root, path: "", reason: late });
		if (refused && isWhole) addMissed(index, { changeId, root, path: "", reason: "root-refused" });
		changes.set(changeId, changes.get(changeId) === true || isWhole);
		if (kind === "turn") turns.add(changeId);
	}

	return {
		list: () => [...windows.values()],
		find: (windowId) => windows.get(windowId),
		changes: () => [...changes.keys()],
		wholeChanges: () => [...changes].flatMap(([changeId, isWhole]) => (isWhole ? [changeId] : [])),
		isTurn: (changeId) => turns.has(changeId),
		add(request, late, since) {
			const { windowId, changeId, label, actor, paths } = request;
			const isWhole = paths === undefined;
			index.transaction(() => {
				note(request, isWhole, late);
				index
					.sql("INSERT OR REPLACE INTO windows (id, change, root, request) VALUES (?, ?, ?, ?)")
					.run(windowId, changeId, root, JSON.stringify(request));
			});
			const exact = new Set((paths ?? []).flatMap(realPlaces));
			const window: Window = { windowId, changeId, actor, label, exact, isWhole, since, doubtful: new Set() };
			windows.set(windowId, window);
			return window;
		},
		kept: () => keptWindows(index).flatMap((kept) => (kept.root === root ? [kept.window] : [])),
		remove(windowId) {
			windows.delete(windowId);
			index.sql("DELETE FROM windows WHERE id = ?").run(windowId);
		},
		removeChange(changeId) {
			index.sql("DELETE FROM windows WHERE change = ? AND root = ?").run(changeId, root);
			for (const window of [...windows.values()]) if (window.changeId === changeId) windows.delete(window.windowId);
			changes.delete(changeId);
			turns.delete(changeId);
		},
		named: () => new Set([...windows.values()].flatMap(({ exact }) => [...exact])),
	};
}

/** A process before this one ended while these were open: nobody was watching since, and their changes say so from the first moment on. */
export function noteInterrupted(index: ChangesIndex): void {
	// What was told already ended without them.
	index.sql("DELETE FROM windows WHERE change IN (SELECT id FROM changes WHERE settled = 1)").run();
	for (const { root, window } of keptWindows(index))
		addMissed(index, { changeId: window.changeId, root, path: "", reason: "recorder-down" });
}

function keptWindows(index: ChangesIndex): { root: string; window: OpenWindow }[] {
	const rows = index.sql("SELECT root, request FROM windows").all();
	return rows.flatMap(({ root, request }) => {
		const window: unknown = JSON.parse(String(request));
		return isOpenWindow(window) ? [{ root: String(root), window }] : [];
	});
}
