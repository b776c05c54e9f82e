import type { ChangeDetail, FileHunks, UndoResult } from "@rightseat/protocol/http/changes";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Actor } from "../kernel/actor.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { ChangePage, ChangeScope, ChangeTracker, FileSide, UndoRequest } from "../ports/changes.ts";
import type { ToldChanges } from "./told-changes.ts";

/** What a conversation changed in files, and the way back. Rejects with `change-not-found` and `changes-unavailable`. */
export interface FileChanges {
	/** Newest first. */
	list(id: ConversationId, page: { before?: string; limit: number }): Promise<ChangePage>;
	get(id: ConversationId, change: ChangeScope): Promise<ChangeDetail>;
	/** Of one file, or of all. */
	diff(id: ConversationId, change: ChangeScope, path?: string): Promise<Uint8Array>;
	hunks(id: ConversationId, change: ChangeScope, file: { path: string; ignoreWhitespace: boolean }): Promise<FileHunks>;
	content(id: ConversationId, change: ChangeScope, file: FileSide): Promise<Uint8Array>;
	/** Returns when what was done is committed; a preview does nothing. */
	undo(id: ConversationId, request: UndoPart, actor?: Actor): Promise<UndoResult>;
}

/** What to take back or bring back. */
export type UndoPart = Omit<UndoRequest, "conversationId" | "newChangeId">;

/** Reads through to the tracker; an undo is told like every change. */
export function createFileChanges(deps: {
	tracker: Pick<ChangeTracker, "list" | "get" | "diff" | "hunks" | "content" | "undo">;
	rows: ConversationRows;
	told: Pick<ToldChanges, "tell">;
	ids: IdSource;
}): FileChanges {
	const { tracker, rows } = deps;
	return {
		list: async (id, page) => tracker.list(rows.get(id).id, page),
		get: async (id, change) => found(await tracker.get(rows.get(id).id, change)),
		diff: async (id, change, path) => found(await tracker.diff(rows.get(id).id, change, path)),
		hunks: async (id, change, file) => found(await tracker.hunks(rows.get(id).id, change, file)),
		content: async (id, change, file) => found(await tracker.content(rows.get(id).id, change, file)),
		async undo(id, request) {
			const { id: conversationId } = rows.getOpen(id);
			const newChangeId = deps.ids.next();
			const { files, change, undoes } = found(await tracker.undo({ ...request, conversationId, newChangeId }));
			if (change === undefined || request.preview === true) return { files };
			deps.told.tell(conversationId, change, undoes);
			return { files, changeId: change.id };
		},
	};
}

function found<T>(value: T | undefined): T {
	if (value === undefined)
		throw new AppError("change-not-found", "There is no such change, or it has no such file. It may be too old to be kept.");
	return value;
}
