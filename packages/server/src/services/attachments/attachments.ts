import { mkdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
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
	/** Resolves when the file is on the disk. Rejects with `bad-request`, `attachment-too-large`, `rate-limited` or `storage-read-only`. */
	add(file: { id?: string; name: string; content: Buffer }): Promise<Attachment>;
	find(id: string): Attachment | undefined;
	/** The same file again, for a conversation; undefined: it is gone. */
	copy(id: string, to: ConversationId): Promise<string | undefined>;
	/** Throws `attachment-not-found`. */
	get(id: string): Attachment & { path: string };
	/** Whether the path is a file that was sent in this conversation, and still the one that we wrote: no link, no other conversation's. */
	isOwn(conversationId: ConversationId, path: string): Promise<boolean>;
}

export function createAttachments(deps: {
	home: string;
	store: AttachmentStore;
	clock: Clock;
	ids: IdSource;
	/** Flushes a file or a directory to the disk; a test looks at when. */
	sync?: (path: string) => Promise<void>;
}): Attachments {
	const directory = join(deps.home, "attachments");
	mkdirSync(directory, { recursive: true, mode: 0o700 });

	/** Uploads whose file is being written. */
	let writing = 0;

	/** Counts this one as being written; whoever calls it gives that back. */
	async function makeRoom() {
		for (const old of deps.store.unused(deps.clock.now() - UNUSED_ATTACHMENT_MS)) {
			await removeAttachment(old.path);
			deps.store.delete(old.id);
		}
		if (deps.store.unused(deps.clock.now() + 1).length + writing >= MAX_UNUSED_ATTACHMENTS) {
			throw new AppError("rate-limited", "Too many files wait for a message. Send or remove some first.", {
				retryable: true,
				params: { reason: "unused-files" },
			});
		}
		writing += 1;
	}

	async function keep(attachment: Attachment, given: { name: string; content: Buffer }, to: ConversationId | null): Promise<void> {
		const file = { id: attachment.id, fileName: fileNameFor(given.name, attachment.mimeType), content: given.content };
		const path = await writeAttachment(directory, file, deps.sync);
		try {
			deps.store.insert({ ...attachment, path, createdAt: deps.clock.now(), conversationId: to });
		} catch (error) {
			await removeAttachment(path);
			throw error;
		}
	}

	return {
		async add({ id, name, content }) {
			if (content.length === 0) throw new AppError("bad-request", "This file is empty.", { params: { reason: "empty-file" } });
			if (content.length > MAX_ATTACHMENT_BYTES)
				throw new AppError("attachment-too-large", "A file can have at most 10 MB.", { params: { megabytes: 10 } });
			await makeRoom();
			try {
				const attachment = { id: id ?? deps.ids.next(), name: safeName(name), mimeType: sniffType(content, name), size: content.length };
				await keep(attachment, { name, content }, null);
				return attachment;
			} catch (error) {
				throw isDiskFull(error) ? storageFull(error) : error;
			} finally {
				writing -= 1;
			}
		},
		find(id) {
			const row = deps.store.find(id);
			return row && { id: row.id, name: row.name, mimeType: row.mimeType, size: row.size };
		},
		async copy(id, to) {
			const row = deps.store.find(id);
			const content = row === undefined ? undefined : await readFile(row.path).catch(() => undefined);
			if (row === undefined || content === undefined) return undefined;
			const { name, mimeType, size } = row;
			const attachment = { id: deps.ids.next(), name, mimeType, size };
			await keep(attachment, { name, content }, to);
			return attachment.id;
		},
		get(id) {
			const row = deps.store.find(id);
			if (row === undefined || statSync(row.path, { throwIfNoEntry: false }) === undefined) {
				throw new AppError("attachment-not-found", "This file is no longer there.");
			}
			return { id: row.id, name: row.name, mimeType: row.mimeType, size: row.size, path: row.path };
		},
		async isOwn(conversationId, path) {
			if (!deps.store.ofConversation(conversationId).some((row) => row.path === path)) return false;
			return isPlainFile(deps.home, relative(deps.home, path));
		},
	};
}

const isDiskFull = (error: unknown) => error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");

const storageFull = (cause: unknown) =>
	new AppError("storage-read-only", "The disk is full. This file cannot be kept until there is free space.", {
		...{ cause, retryable: true },
		params: { reason: "full" },
	});

/** Only ever shown; the file on disk has a tamer one. */
function safeName(name: string): string {
	const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069/\\]+/g, "_").trim();
	return cutText(clean === "" ? "file" : clean, MAX_NAME_CHARS);
}
