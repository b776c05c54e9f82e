import type {
	ChangeTracker,
	ChangeWindow,
	NamingOfFiles,
	RecalledChange,
	RecordedChange,
	UndoOutcome,
	UndoRequest,
} from "../../packages/server/src/core/ports/changes.ts";

/** A tracker that says what the test wants and remembers what it was told; it looks at no file. */
export interface ScriptedTracker extends ChangeTracker {
	/** Everything that was opened, in order, also what is closed by now. */
	readonly windows: ChangeWindow[];
	readonly open: ReadonlyMap<string, ChangeWindow>;
	/** Paths that were named later, by window. */
	readonly added: Map<string, string[]>;
	/** How they were named, in order. */
	readonly namings: NamingOfFiles[];
	readonly settled: string[];
	readonly forgotten: string[];
	readonly undos: UndoRequest[];
	readonly prepared: string[];
	/** What a change turns out to be; undefined: nothing changed. */
	answer: (window: ChangeWindow) => Partial<RecordedChange> | undefined;
	/** What an undo does. */
	undoes: (request: UndoRequest) => UndoOutcome | undefined;
	/** What it still knows of a change that an earlier process began. */
	recalls: (changeId: string) => RecalledChange | undefined | Promise<never>;
	/** Windows open, and changes settle, when this resolves; without it at once. */
	gate: Promise<void> | undefined;
}

export function createScriptedTracker(): ScriptedTracker {
	const open = new Map<string, ChangeWindow>();
	const none = async () => undefined;
	const tracker: ScriptedTracker = {
		windows: [],
		open,
		added: new Map(),
		namings: [],
		settled: [],
		forgotten: [],
		undos: [],
		prepared: [],
		answer: () => undefined,
		undoes: () => undefined,
		recalls: () => undefined,
		gate: undefined,
		prepare: (cwd) => void tracker.prepared.push(cwd),
		openWindow(window) {
			tracker.windows.push(window);
			open.set(window.windowId, window);
			return tracker.gate;
		},
		addPaths(windowId, paths, how) {
			tracker.added.set(windowId, [...(tracker.added.get(windowId) ?? []), ...paths]);
			tracker.namings.push(how);
			return tracker.gate;
		},
		async closeWindow(windowId) {
			open.delete(windowId);
			await tracker.gate;
		},
		async settle(changeId) {
			tracker.settled.push(changeId);
			for (const [id, window] of open) if (window.changeId === changeId) open.delete(id);
			await tracker.gate;
			const window = tracker.windows.find((known) => known.changeId === changeId);
			const change = window === undefined ? undefined : tracker.answer(window);
			return window === undefined || change === undefined
				? { kind: "nothing" }
				: { kind: "changed", change: { ...recorded(window), ...change } };
		},
		recall: async (_, changeId) => tracker.recalls(changeId),
		list: async () => ({ changes: [] }),
		get: none,
		diff: none,
		hunks: none,
		content: none,
		async undo(request) {
			tracker.undos.push(request);
			return tracker.undoes(request);
		},
		forget: async (conversationId) => void tracker.forgotten.push(conversationId),
		close: () => undefined,
	};
	return tracker;
}

/** A change of one file. */
export const aChange = (given: Partial<RecordedChange>): RecordedChange => ({
	...{ id: "g1", kind: "turn", at: "2026-01-02T03:05:05.000Z", files: 1, added: 2, removed: 1, undone: false, root: "/somewhere" },
	...given,
});

const recorded = ({ changeId, messageId, kind }: ChangeWindow) =>
	aChange({ id: changeId, kind, ...(messageId === undefined ? {} : { messageId }) });
