import type { Actor, BytePath, ChangeKind, ChangeSummary, NotCoveredReason, PathState, Step } from "../model.ts";
import { bytePath } from "../paths/byte-path.ts";
import { shownPath } from "../paths/shown-path.ts";
import type { StepLink } from "../steps/attribution.ts";
import { decodeState, encodeState } from "../steps/state-code.ts";
import type { ChangesIndex } from "./open-index.ts";
import type { SqlRow } from "./sqlite.ts";

/** A change that begins. */
export interface NewChange {
	id: string;
	conversationId: string;
	kind: ChangeKind;
	messageId?: string | undefined;
	label?: string | undefined;
	/** Real path as latin1. */
	root: string;
	at: number;
	undoes?: readonly string[] | undefined;
}

/** A difference on its way into the index. */
export interface NewStep {
	root: string;
	path: BytePath;
	before: PathState;
	after: PathState;
	at: number;
	head?: { from: string; to: string } | undefined;
}

/** Twice is fine: a change has as many windows as it has tools. */
export function addChange(index: ChangesIndex, change: NewChange): void {
	const { id, conversationId, kind, messageId, label, root, at, undoes } = change;
	index
		.sql("INSERT OR IGNORE INTO changes (id, conversation, kind, message, label, root, at, undoes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
		.run(id, conversationId, kind, messageId ?? null, label ?? null, root, at, undoes === undefined ? null : undoes.join(" "));
}

/** Its number; undefined when it is nobody's. */
export function addStep(index: ChangesIndex, step: NewStep, links: readonly StepLink[]): number | undefined {
	if (links.length === 0) return undefined;
	const { root, path, before, after, at, head } = step;
	const row = index
		.sql("INSERT INTO steps (root, path, before, after, at, head) VALUES (?, ?, ?, ?, ?, ?) RETURNING id")
		.get(root, path, encodeState(before), encodeState(after), at, head === undefined ? null : `${head.from} ${head.to}`);
	const insert = index.sql("INSERT INTO links (change, step, actors, windows) VALUES (?, ?, ?, ?)");
	const id = Number(row?.id);
	for (const { changeId, actors, windows } of links) insert.run(changeId, id, actors.join(" "), JSON.stringify(windows));
	return id;
}

/** What a step led to has become known. */
export function completeStep(index: ChangesIndex, id: number, after: PathState): void {
	index.sql("UPDATE steps SET after = ? WHERE id = ?").run(encodeState(after), id);
}

/** An empty path is the whole root. Twice is fine; false: it is there already, or too many are. */
export function addMissed(
	index: ChangesIndex,
	missed: { changeId: string; root: string; path: string; reason: NotCoveredReason },
): boolean {
	const count = index.sql("SELECT count(*) AS count FROM missed WHERE change = ?").get(missed.changeId)?.count;
	if (Number(count) >= MAX_MISSED) return false;
	const { changes } = index
		.sql("INSERT OR IGNORE INTO missed (change, root, path, reason) VALUES (?, ?, ?, ?)")
		.run(missed.changeId, missed.root, missed.path, missed.reason);
	return Number(changes) > 0;
}

/** It was found out after all. */
export function removeMissed(index: ChangesIndex, missed: Parameters<typeof addMissed>[1]): void {
	const { changeId, root, path, reason } = missed;
	index.sql("DELETE FROM missed WHERE change = ? AND root = ? AND path = ? AND reason = ?").run(changeId, root, path, reason);
}

/** Paths of one change that are kept as not covered, beside those that have steps. */
export const MAX_MISSED = 500;

/** Steps of a change, oldest first. */
export function listSteps(index: ChangesIndex, changeId: string): Step[] {
	return index
		.sql(
			"SELECT steps.*, links.actors, links.windows FROM links JOIN steps ON steps.id = links.step WHERE links.change = ? ORDER BY steps.id",
		)
		.all(changeId)
		.map((row) => {
			const [from, to] = String(row.head ?? "").split(" ");
			return {
				changeId,
				root: String(row.root),
				path: bytePath(String(row.path)),
				before: decodeState(String(row.before)),
				after: decodeState(String(row.after)),
				actors: String(row.actors).split(" ").flatMap(actorOf),
				windows: labelsOf(String(row.windows)),
				at: Number(row.at),
				...(row.head === null ? {} : { head: { from: from ?? "", to: to ?? "" } }),
			};
		});
}

export function listMissed(index: ChangesIndex, changeId: string): { root: string; path: string; reason: NotCoveredReason }[] {
	return index
		.sql("SELECT root, path, reason FROM missed WHERE change = ? ORDER BY root, path")
		.all(changeId)
		.flatMap((row) => {
			const state = decodeState(`u${String(row.reason)}`);
			return state.kind === "unknown" ? [{ root: String(row.root), path: String(row.path), reason: state.reason }] : [];
		});
}

export function findChange(index: ChangesIndex, changeId: string): (ChangeSummary & { rootPath: string }) | undefined {
	const row = index.sql("SELECT * FROM changes WHERE id = ?").get(changeId);
	return row && { ...summaryOf(row), rootPath: String(row.root) };
}

/** Newest first; `before` is the id of the last one of the page before. Changes that go on are not told yet. */
export function listChanges(
	index: ChangesIndex,
	conversationId: string,
	{ before, limit }: { before?: string | undefined; limit: number },
) {
	const from = before === undefined ? undefined : index.sql("SELECT at, id FROM changes WHERE id = ?").get(before);
	if (before !== undefined && from === undefined) return { changes: [] };
	const rows = index
		.sql(
			`SELECT * FROM changes WHERE conversation = ? AND (settled = 1 OR unfinished = 1) AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`,
		)
		.all(conversationId, Number(from?.at ?? Number.MAX_SAFE_INTEGER), String(from?.id ?? ""), limit + 1);
	const changes = rows.slice(0, limit).map(summaryOf);
	const last = changes.at(-1);
	return rows.length > limit && last !== undefined ? { changes, nextCursor: last.id } : { changes };
}

/** Ids of everything that a conversation did, oldest first. */
export function listChangeIds(index: ChangesIndex, conversationId: string): string[] {
	const rows = index.sql("SELECT id FROM changes WHERE conversation = ? ORDER BY at, id").all(conversationId);
	return rows.map((row) => String(row.id));
}

function summaryOf(row: SqlRow): ChangeSummary {
	const text = (name: string) => (row[name] === null || row[name] === undefined ? undefined : String(row[name]));
	const [messageId, label, undoes] = [text("message"), text("label"), text("undoes")];
	return {
		id: String(row.id),
		conversationId: String(row.conversation),
		kind: KINDS.find((kind) => kind === row.kind) ?? "turn",
		at: Number(row.at),
		files: Number(row.files),
		added: Number(row.added),
		removed: Number(row.removed),
		undone: row.undone === 1,
		root: shownPath(String(row.root)),
		notCovered: Number(row.missed),
		...(messageId === undefined ? {} : { messageId }),
		...(label === undefined ? {} : { label }),
		...(undoes === undefined ? {} : { undoes: undoes.split(" ") }),
		...(row.unfinished === 1 ? { unfinished: true as const } : {}),
	};
}

const KINDS: readonly ChangeKind[] = ["turn", "command", "undo", "redo"];
const ACTORS: readonly Actor[] = ["agent", "agent-shell", "person", "outside"];
const actorOf = (text: string): Actor[] => ACTORS.filter((actor) => actor === text);

function labelsOf(json: string): string[] {
	const labels: unknown = JSON.parse(json);
	return Array.isArray(labels) ? labels.map(String) : [];
}
