import type { OpenWindow } from "../client/tracker.ts";
import { addChange, addMissed } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { ChangeDetail, NotCoveredReason } from "../model.ts";
import { latin1Of } from "../paths/byte-path.ts";
import { createChangeEnds } from "./change-ends.ts";
import { SYNC_MS } from "./root-thread.ts";
import { type Root, type Roots, within } from "./roots.ts";
import type { ThreadHandle } from "./thread-handle.ts";
import type { Answer, Ask } from "./tracker-protocol.ts";
import { createUndos, isRefused, type WrittenRoots } from "./undo-in-roots.ts";

/** Gives each ask to the thread that can answer it, and keeps the deadlines. */
export interface Host {
	answer(ask: Ask): Promise<Answer>;
}

export interface HostDeps {
	roots: Roots;
	/** Starts one when there is none. */
	desk(): ThreadHandle;
	/** Of the process itself, for what no thread can write down. */
	index: ChangesIndex;
	/** Roots in which undos write now. */
	writing: WrittenRoots;
}

/** A full look while nobody is at work is made when the last one is older. */
const VERIFY_MS = 5 * 60_000;
/** Ends of changes that a crash left open may take longer: nobody waits for a turn. */
const LEFT_OPEN_MS = 20_000;
/** Of the time that somebody waits for the end of a change, for telling it. */
const TELL_MS = 300;
/** How long an undo waits for the one before it. */
const UNDO_TURN_MS = 10_000;

const DONE: Answer = { kind: "done" };

export function createHost({ roots, desk, index, writing }: HostDeps): Host {
	/** Where each window is open; a promise while its root is being found. */
	const windows = new Map<string, { changeId: string; root: Promise<Root | NotCoveredReason> }>();
	/** Roots of the changes that are open. */
	const changes = new Map<string, Set<Root>>();
	const inLine = createLine();
	const undos = createUndos({ roots, index, writing });
	const ends = createChangeEnds({ index, desk });

	async function open({ window, deadline }: { window: OpenWindow; deadline: number }): Promise<Answer> {
		const known = roots.known(window.cwd);
		const finding = known === undefined ? roots.find(window.cwd) : Promise.resolve(known);
		windows.set(window.windowId, { changeId: window.changeId, root: finding });
		const root = known ?? (await finding);
		if (typeof root === "string") {
			if (window.paths?.length !== 0) miss(window, root);
			return DONE;
		}
		root.windows.add(window.windowId);
		changes.set(window.changeId, (changes.get(window.changeId) ?? new Set()).add(root));
		const opened = root.thread.ask({ kind: "open", window, deadline });
		// Only what is copied can be put back, so whoever begins to work waits a little for the first copy.
		const copied = window.paths === undefined ? root.thread.ask({ kind: "copied" }) : opened;
		const answers = await within(Promise.all([opened, copied]), deadline - Date.now());
		if (answers?.[0].kind === "failed" && window.paths?.length !== 0) miss(window, "recorder-down");
		return DONE;
	}

	/** The change has something that nobody recorded. */
	function miss({ changeId, conversationId, kind, messageId, label, cwd }: OpenWindow, reason: NotCoveredReason): void {
		const root = latin1Of(cwd);
		index.transaction(() => {
			addChange(index, { id: changeId, conversationId, kind, messageId, label, root, at: Date.now() });
			addMissed(index, { changeId, root, path: "", reason });
		});
		changes.set(changeId, changes.get(changeId) ?? new Set());
	}

	/** After its root is found, so that nothing overtakes the opening. */
	async function inWindow(windowId: string, ask: Ask): Promise<Answer> {
		const root = await windows.get(windowId)?.root;
		if (ask.kind === "close-window") windows.delete(windowId);
		if (root === undefined || typeof root === "string") return DONE;
		if (ask.kind === "close-window") root.windows.delete(windowId);
		return (await within(root.thread.ask(ask), until(ask))) ?? DONE;
	}

	async function settle({ changeId, deadline }: { changeId: string; deadline: number }): Promise<Answer> {
		const own = [...windows].filter(([, window]) => window.changeId === changeId);
		await within(Promise.all(own.map(([, window]) => window.root)), deadline - Date.now());
		const open = changes.get(changeId) ?? rootsInIndex({ roots, index }, changeId);
		if (open === undefined) return { kind: "detail" };
		changes.delete(changeId);
		for (const [windowId] of own) {
			windows.delete(windowId);
			for (const root of open) root.windows.delete(windowId);
		}
		// It may have to be started, and what is known has to be counted in time.
		desk();
		await ends.endIn([...open].map(alive), changeId, deadline - Date.now() - TELL_MS);
		return ends.marked(await desk().ask({ kind: "settle", changeId, deadline }));
	}

	/** Its thread may have failed meanwhile; the next one knows its windows from the index. */
	function alive(root: Root): Root {
		const now = root.thread.ended ? roots.open({ root: root.path, refused: isRefused(index, root.path) }) : root;
		return typeof now === "string" ? root : now;
	}

	/** Undos that had written everything when the process ended: a thread that starts in their root ends them and says what is undone. */
	async function endWritten(): Promise<void> {
		if (writing.size > 0) return;
		const rows = index.sql("SELECT root FROM changes WHERE unfinished = 1 UNION SELECT root FROM undos").all();
		for (const path of rows.map(({ root }) => String(root))) {
			const root = roots.open({ root: path, refused: isRefused(index, path) });
			// Any answer means that it has started.
			if (typeof root !== "string") await within(root.thread.ask({ kind: "end", changeId: "" }), LEFT_OPEN_MS);
		}
	}

	/** Changes that were open when the process, or its server, ended. */
	async function settleLeftOpen(): Promise<Answer> {
		const details: ChangeDetail[] = [];
		await endWritten();
		const rows = index.sql("SELECT id, root FROM changes WHERE settled = 0 AND unfinished = 0 ORDER BY at").all();
		for (const { changeId, root } of rows.map((row) => ({ changeId: String(row.id), root: String(row.root) }))) {
			if (changes.has(changeId)) continue;
			const open = rootsInIndex({ roots, index }, changeId) ?? [];
			await ends.endIn(open, changeId, LEFT_OPEN_MS);
			if (open.length === 0) addMissed(index, { changeId, root, path: "", reason: "recorder-down" });
			const answer = await desk().ask({ kind: "settle", changeId, deadline: 0 });
			if (answer.kind === "detail" && answer.detail !== undefined) details.push(answer.detail);
		}
		return { kind: "details", details };
	}

	return {
		async answer(ask) {
			switch (ask.kind) {
				case "prepare":
					return prepare(roots, ask.cwd);
				case "open":
					return open(ask);
				case "add-paths":
				case "close-window":
					return inWindow(ask.windowId, ask);
				case "settle":
					return settle(ask);
				case "undo":
					return ask.undo.preview === true ? undos.preview(ask.undo) : inLine(() => undos.undo(ask.undo));
				case "left-open":
					return settleLeftOpen();
				case "get":
					return ends.marked(await desk().ask(ask));
				default:
					return desk().ask(ask);
			}
		},
	};
}

/** Milliseconds that whoever asks still waits. */
const until = (ask: Ask) => ("deadline" in ask ? ask.deadline - Date.now() : SYNC_MS);

/** Of a change that a process before this one began. */
function rootsInIndex({ roots, index }: Pick<HostDeps, "roots" | "index">, changeId: string): Root[] | undefined {
	if (index.sql("SELECT 1 AS found FROM changes WHERE id = ? AND settled = 0").get(changeId) === undefined) return undefined;
	const paths = index.sql("SELECT DISTINCT root FROM windows WHERE change = ?").all(changeId);
	return paths.flatMap((row) => {
		const path = String(row.root);
		const root = roots.open({ root: path, refused: isRefused(index, path) });
		if (typeof root !== "string") return [root];
		addMissed(index, { changeId, root: path, path: "", reason: root });
		return [];
	});
}

/** One undo after the other: two that were planned on the same files would both be carried out. A folder that does not answer holds up the rest for a while only. */
function createLine() {
	let last: Promise<unknown> = Promise.resolve();
	return (run: () => Promise<Answer>): Promise<Answer> => {
		const own = within(last, UNDO_TURN_MS).then(run);
		last = own.catch(() => undefined);
		return own;
	};
}

async function prepare(roots: Roots, cwd: string): Promise<Answer> {
	const root = await roots.find(cwd);
	if (typeof root === "string") return DONE;
	if (root.windows.size === 0 && performance.now() - root.verifiedAt >= VERIFY_MS) {
		root.verifiedAt = performance.now();
		void root.thread.ask({ kind: "verify" });
	}
	return root.thread.ask({ kind: "copied" });
}
