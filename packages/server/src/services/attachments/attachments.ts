import { mkdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { MAX_ATTACHMENT_BYTES } from "@rightseat/protocol/limits";
import type { Attachment } from "@rightseat/protocol/model/message";
import { cutText } from "@rightseat/protocol/text";
import type { Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { ConversationId, IdSource } from "../../core/kernel/ids.ts";
import type { AttachmentStore } from "../../core/ports/store.ts";
import { fileNameFor, isPlainFile, removeAttachment, writeAttachment } from "./attachment-file.ts";
import { sniffType } from "./sniff-type.ts";

/** Uploads that no message used are removed after a day. */
const UNUSED_ATTACHMENT_MS = 24 * 3_600_000;
/** Most uploads waiting for a message. */
export const MAX_UNUSED_ATTACHMENTS = 200;
const MAX_NAME_CHARS = 200;

/** Files that people add to prompts: each in a directory with a random name, typed by its content, readable by us only. */
export interface Attachments {
	add(file: { name: string; content: Buffer }): Attachment;
	/** Throws `attachment-not-found`. */
	get(id: string): Attachment & { path: string };
	/** Whether the path is a file that was sent in this conversation, and still the one that we wrote: no link, no other conversation's. */
	isOwn(conversationId: ConversationId, path: string): Promise<boolean>;
}

export function createAttachments(deps: { home: string; store: AttachmentStore; clock: Clock; ids: IdSource }): Attachments {
	const directory = join(deps.home, "attachments");
	mkdirSync(directory, { recursive: true, mode: 0o700 });

	function makeRoom() {
		for (const old of deps.store.unused(deps.clock.now() - UNUSED_ATTACHMENT_MS)) {
			removeAttachment(old.path);
			deps.store.delete(old.id);
		}
		if (deps.store.unused(deps.clock.now() + 1).length >= MAX_UNUSED_ATTACHMENTS) {
			throw new AppError("rate-limited", "Too many files wait for a message. Send or remove some first.", {
				retryable: true,
				params: { reason: "unused-files" },
			});
		}
	}
	return {
		add({ name, content }) {
			if (content.length === 0) throw new AppError("bad-request", "This file is empty.", { params: { reason: "empty-file" } });
			if (content.length > MAX_ATTACHMENT_BYTES)
				throw new AppError("attachment-too-large", "A file can have at most 10 MB.", { params: { megabytes: 10 } });
			makeRoom();
			const id = deps.ids.next();
			const attachment = { id, name: safeName(name), mimeType: sniffType(content, name), size: content.length };
			const path = writeAttachment(directory, { id, fileName: fileNameFor(name, attachment.mimeType), content });
			deps.store.insert({ ...attachment, path, createdAt: deps.clock.now(), conversationId: null });
			return attachment;
		},
		get(id) {
			const row = deps.store.find(id);
			if (row === undefined || statSync(row.path, { throwIfNoEntry: false }) === undefined) {
				throw new AppError("attachment-not-found", "This file is not there any more.");
			}
			return { id: row.id, name: row.name, mimeType: row.mimeType, size: row.size, path: row.path };
		},
		async isOwn(conversationId, path) {
			if (!deps.store.ofConversation(conversationId).some((row) => row.path === path)) return false;
			return isPlainFile(deps.home, relative(deps.home, path));
		},
	};
}

/** Only ever shown; the file on disk has a tamer one. */
function safeName(name: string): string {
	const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069/\\]+/g, "_").trim();
	return cutText(clean === "" ? "file" : clean, MAX_NAME_CHARS);
}
