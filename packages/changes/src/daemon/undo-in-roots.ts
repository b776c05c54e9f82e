import type { UndoRequest } from "../client/tracker.ts";
import { findChange, listChangeIds } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import { type Root, type Roots, within } from "./roots.ts";
import type { Answer } from "./tracker-protocol.ts";

/** Roots in which undos write now: a thread that starts there must leave their names alone. */
export interface WrittenRoots {
	add(path: string): void;
	remove(path: string): void;
	has(path: string): boolean;
	readonly size: number;
}

export function createWrittenRoots(): WrittenRoots {
	const counts = new Map<string, number>();
	return {
		add: (path) => void counts.set(path, (counts.get(path) ?? 0) + 1),
		remove(path) {
			const left = (counts.get(path) ?? 0) - 1;
			if (left > 0) counts.set(path, left);
			else counts.delete(path);
		},
		has: (path) => counts.has(path),
		get size() {
			return counts.size;
		},
	};
}

/** Undos, which may write in several roots. */
export interface Undos {
	preview(request: UndoRequest): Promise<Answer>;
	undo(request: UndoRequest): Promise<Answer>;
}

/** How long a root may take until it rests; one that does not answer is not waited for. */
const HOLD_MS = 2_000;

/** In the thread of one of its roots, while those of the others rest; whoever records there afterwards hears of it. */
export function createUndos({ roots, index, writing }: { roots: Roots; index: ChangesIndex; writing: WrittenRoots }): Undos {
	const openRoot = (path: string): Root[] => {
		const root = roots.open({ root: path, refused: isRefused(index, path) });
		return typeof root === "string" ? [] : [root];
	};

	return {
		async preview(request) {
			const paths = rootsOf(index, request);
			const [first] = paths.flatMap(openRoot);
			return first?.thread.ask({ kind: "undo", undo: request }) ?? nowhere(paths);
		},
		async undo(request) {
			const paths = rootsOf(index, request);
			const [first, ...others] = paths.flatMap(openRoot);
			if (first === undefined) return nowhere(paths);
			for (const path of paths) writing.add(path);
			let changeId = request.newChangeId;
			try {
				await within(Promise.all(others.map(({ thread }) => thread.ask({ kind: "hold" }))), HOLD_MS);
				const answer = await first.thread.ask({ kind: "undo", undo: request });
				// One that a crash had cut has its own id.
				if (answer.kind === "undone") changeId = answer.result?.change?.id ?? changeId;
				return answer;
			} finally {
				for (const path of paths) writing.remove(path);
				// Also those that were started meanwhile.
				const now = roots.list().filter(({ path, thread }) => paths.includes(path) && thread !== first.thread);
				await Promise.all(now.map(({ thread }) => thread.ask({ kind: "refresh", changeId })));
			}
		},
	};
}

export const isRefused = (index: ChangesIndex, path: string): boolean =>
	index.sql("SELECT refused FROM roots WHERE path = ?").get(path)?.refused === 1;

const nowhere = (paths: readonly string[]): Answer =>
	paths.length === 0 ? { kind: "undone" } : { kind: "failed", reason: "the folder does not answer" };

/** Where the changes began first, then every other root that is recorded and has steps of theirs, or an undo of this conversation that was cut. */
function rootsOf(index: ChangesIndex, { conversationId, changeIds }: UndoRequest): string[] {
	const isAll = changeIds === "conversation" || changeIds.includes("conversation");
	const chosen = isAll ? listChangeIds(index, conversationId) : changeIds;
	const own = chosen.flatMap((changeId) => findChange(index, changeId)?.rootPath ?? []);
	const steps = index.sql(
		"SELECT DISTINCT steps.root FROM links JOIN steps ON steps.id = links.step WHERE links.change = ? AND steps.root IN (SELECT path FROM roots)",
	);
	const cut = index.sql("SELECT DISTINCT undos.root FROM undos JOIN changes ON changes.id = undos.change WHERE changes.conversation = ?");
	const further = [...chosen.flatMap((changeId) => steps.all(changeId)), ...(own.length === 0 ? [] : cut.all(conversationId))];
	return [...new Set([...own, ...further.map(({ root }) => String(root))])];
}
