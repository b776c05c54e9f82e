import { linkSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { conversationId, randomIds } from "../../core/kernel/ids.ts";
import type { AttachmentRow, AttachmentStore } from "../../core/ports/store.ts";
import { createAttachments, MAX_UNUSED_ATTACHMENTS } from "./attachments.ts";

const [OURS, OTHERS] = [conversationId("ours"), conversationId("others")];
let top: string;
let home: string;
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "rightseat-uploads-"));
	home = join(top, "home");
});
afterEach(() => rmSync(top, { recursive: true }));

/** Uploads on a disk of the test; `sent` is one that a message of this conversation used. */
function bed(at = home, sync?: (path: string) => Promise<void>) {
	const rows = new Map<string, AttachmentRow>();
	const store: AttachmentStore = {
		insert: (row) => void rows.set(row.id, row),
		find: (id) => rows.get(id),
		unused: (before) => [...rows.values()].filter((row) => row.conversationId === null && row.createdAt < before),
		bind(id, conversation) {
			const row = rows.get(id);
			if (row !== undefined) rows.set(id, { ...row, conversationId: conversation });
		},
		delete: (id) => void rows.delete(id),
		ofConversation: (conversation) => [...rows.values()].filter((row) => row.conversationId === conversation),
	};
	const attachments = createAttachments({
		home: at,
		store,
		clock: createFakeClock(),
		ids: randomIds,
		...(sync === undefined ? {} : { sync }),
	});
	async function sent(conversation = OURS): Promise<string> {
		const { id } = await attachments.add({ name: "notes.txt", content: Buffer.from("x") });
		store.bind(id, conversation);
		return attachments.get(id).path;
	}
	return { attachments, sent, rows };
}

test("[QA125] an upload is one's own by its exact path and in its own conversation only", async () => {
	const { attachments, sent } = bed();
	const path = await sent();
	const { id } = await attachments.add({ name: "unsent.txt", content: Buffer.from("x") });
	expect(await attachments.isOwn(OURS, path)).toBe(true);
	expect(await attachments.isOwn(OTHERS, path)).toBe(false);
	const strangers = [
		attachments.get(id).path,
		await sent(OTHERS),
		dirname(path),
		`${path}/`,
		`${dirname(path)}/./notes.txt`,
		"notes.txt",
		"",
	];
	for (const stranger of strangers) expect(await attachments.isOwn(OURS, stranger), stranger).toBe(false);
});

test("[QA125] what was put in the place of an upload is not one's own: a link, a second name of a file, a linked folder, nothing", async () => {
	const { attachments, sent } = bed();
	const secret = join(top, "secret");
	writeFileSync(secret, "s");
	const [linked, named, moved, gone] = [await sent(), await sent(), await sent(), await sent()];
	for (const path of [linked, named, gone]) rmSync(path);
	symlinkSync(secret, linked);
	linkSync(secret, named);
	renameSync(dirname(moved), join(top, "elsewhere"));
	symlinkSync(join(top, "elsewhere"), dirname(moved));
	for (const path of [linked, named, moved, gone]) expect(await attachments.isOwn(OURS, path), path).toBe(false);
	const whole = await sent();
	renameSync(join(home, "attachments"), join(top, "all"));
	symlinkSync(join(top, "all"), join(home, "attachments"));
	expect(await attachments.isOwn(OURS, whole)).toBe(false);
});

test("[QA125] a home directory that lies behind a link changes nothing", async () => {
	const link = join(top, "link");
	symlinkSync(top, link);
	const { attachments, sent } = bed(join(link, "home"));
	expect(await attachments.isOwn(OURS, await sent())).toBe(true);
});

test("[RT170] an upload is answered when its bytes and its name are on the disk, and not listed before", async () => {
	const flushed: string[] = [];
	const { attachments, rows } = bed(home, async (path) => {
		flushed.push(relative(home, path));
		expect(rows.size).toBe(0);
	});
	const { id } = await attachments.add({ name: "notes.txt", content: Buffer.from("x") });
	expect(flushed).toEqual([`attachments/${id}/notes.txt`, `attachments/${id}`, "attachments"]);
	expect(rows.has(id)).toBe(true);
});

test("[RT171] an upload that a full disk refuses leaves nothing, and says so", async () => {
	const { attachments, rows } = bed(home, async () => {
		throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
	});
	await expect(attachments.add({ name: "notes.txt", content: Buffer.from("x") })).rejects.toMatchObject({
		code: "storage-read-only",
		retryable: true,
	});
	expect(readdirSync(join(home, "attachments"))).toEqual([]);
	expect(rows.size).toBe(0);
});

test("[RT172] uploads that are still being written count among those that wait for a message", async () => {
	let release = (): void => undefined;
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	const { attachments, rows } = bed(home, () => held);
	const adding = Array.from({ length: MAX_UNUSED_ATTACHMENTS }, () => attachments.add({ name: "a", content: Buffer.from("x") }));
	await expect(attachments.add({ name: "one more", content: Buffer.from("x") })).rejects.toMatchObject({ code: "rate-limited" });
	release();
	await Promise.all(adding);
	expect(rows.size).toBe(MAX_UNUSED_ATTACHMENTS);
});
