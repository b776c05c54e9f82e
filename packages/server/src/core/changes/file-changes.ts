import type { ChangeDetail, FileHunks, UndoResult } from "@rightseat/protocol/http/changes";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { EventLog } from "../log/event-log.ts";
import type { ChangePage, ChangeScope, ChangeTracker, FileSide, UndoOutcome, UndoRequest } from "../ports/changes.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import type { ToldChanges } from "./told-changes.ts";
import type { UndoneNotes } from "./undone-notes.ts";

/** What a conversation changed in files, and the way back. Rejects with `change-not-found` and `changes-unavailable`. */
export interface FileChanges {
	/** Newest first. */
	list(id: ConversationId, page: { before?: string; limit: number }): Promise<ChangePage>;
	get(id: ConversationId, change: ChangeScope): Promise<ChangeDetail>;
	/** Of one file, or of all. */
	diff(id: ConversationId, change: ChangeScope, path?: string): Promise<Uint8Array>;
	hunks(id: ConversationId, change: ChangeScope, file: { path: string; ignoreWhitespace: boolean }): Promise<FileHunks>;
	content(id: ConversationId, change: ChangeScope, file: FileSide): Promise<Uint8Array>;
	/** Returns when what was done is committed; a preview does nothing. `begins` runs in the commit that must be durable before a file is touched. */
	undo(id: ConversationId, request: UndoPart, actor?: Actor, begins?: () => void): Promise<UndoResult>;
}

/** What to take back or bring back. */
export type UndoPart = Omit<UndoRequest, "conversationId" | "newChangeId">;

/** Reads through to the tracker; an undo is told like every change. */
export function createFileChanges(deps: {
	tracker: Pick<ChangeTracker, "list" | "get" | "diff" | "hunks" | "content" | "undo">;
	rows: ConversationRows;
	store: Pick<Store, "durable">;
	log: Pick<EventLog, "commit">;
	told: Pick<ToldChanges, "begin" | "tell" | "drop">;
	/** An undo whose end was not seen. */
	missed(changeId: string): void;
	notes: Pick<UndoneNotes, "add">;
	clock: Clock;
	ids: IdSource;
}): FileChanges {
	const { tracker, rows, log, told } = deps;

	async function undo(conversationId: ConversationId, request: UndoPart, begins: () => void): Promise<UndoResult> {
		const changeId = deps.ids.next();
		log.commit(() => {
			told.begin({ conversationId, changeId });
			begins();
		});
		// A crash in the middle of it must find its way back to the readers.
		await deps.store.durable();
		const done = await run({ ...request, conversationId, newChangeId: changeId });
		if (done?.change === undefined) told.drop(changeId);
		const { files, undoes, change } = found(done);
		if (change === undefined) {
			// One that a crash cut and that was taken back leaves no change, but whoever saw it as cut must hear of it.
			const nothing = { id: changeId, kind: request.kind, files: 0, added: 0, removed: 0, undone: false, root: "", at: "" };
			if (undoes.length > 0) told.tell(conversationId, { change: nothing, undoes });
			return { files };
		}
		const kind = change.kind === "redo" ? "redo" : "undo";
		log.commit(() => {
			told.tell(conversationId, { change, undoes });
			deps.notes.add(conversationId, { changeId: change.id, at: deps.clock.now(), kind, files });
		});
		return { files, changeId: change.id };
	}

	async function run(request: UndoRequest): Promise<UndoOutcome | undefined> {
		try {
			return await tracker.undo(request);
		} catch (error) {
			deps.missed(request.newChangeId);
			throw error;
		}
	}

	/** Whatever leads out of a root is refused as a whole, unless the change itself names it: a tool of the agent may have written anywhere. */
	async function checkPaths(conversationId: ConversationId, { changeIds, paths = [], hunks = {} }: UndoPart): Promise<void> {
		const odd = [...paths, ...Object.keys(hunks)].filter(leadsOut);
		if (odd.length === 0) return;
		const details = await Promise.all(changeIds.map(async (changeId) => found(await tracker.get(conversationId, changeId))));
		const known = new Set(details.flatMap(({ files }) => files.flatMap(({ path, oldPath }) => [path, oldPath])));
		if (odd.some((path) => !known.has(path))) found(undefined);
	}

	return {
		list: async (id, page) => tracker.list(rows.get(id).id, page),
		async get(id, change) {
			const row = rows.get(id);
			return found((await tracker.get(row.id, change)) ?? (change === "conversation" ? nothingYet(row) : undefined));
		},
		diff: async (id, change, path) => found(await tracker.diff(rows.get(id).id, change, path)),
		hunks: async (id, change, file) => found(await tracker.hunks(rows.get(id).id, change, file)),
		content: async (id, change, file) => found(await tracker.content(rows.get(id).id, change, file)),
		async undo(id, request, _actor, begins = () => undefined) {
			const { id: conversationId } = rows.getOpen(id);
			await checkPaths(conversationId, request);
			if (request.preview !== true) return undo(conversationId, request, begins);
			const { files } = found(await tracker.undo({ ...request, conversationId, newChangeId: deps.ids.next() }));
			return { files };
		},
	};
}

/** All that a conversation did is there from its beginning; at first it is nothing. */
function nothingYet({ createdAt, cwd }: ConversationRow): ChangeDetail {
	const counts = { files: 0, added: 0, removed: 0, undone: false };
	const change = { ...counts, id: "conversation", kind: "conversation" as const, at: new Date(createdAt).toISOString(), root: cwd };
	return { change, files: [], notCovered: [] };
}

const leadsOut = (path: string) => path.startsWith("/") || path.includes("\0") || path.split("/").includes("..");

function found<T>(value: T | undefined): T {
	if (value !== undefined) return value;
	throw new AppError("change-not-found", "There is no such change, or it has no such file. It may be too old to be kept.");
}
