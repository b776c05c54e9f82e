import { linkSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { conversationId, randomIds } from "../../core/kernel/ids.ts";
import type { AttachmentRow, AttachmentStore } from "../../core/ports/store.ts";
import { createAttachments } from "./attachments.ts";

const [OURS, OTHERS] = [conversationId("ours"), conversationId("others")];
let top: string;
let home: string;
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "rightseat-uploads-"));
	home = join(top, "home");
});
afterEach(() => rmSync(top, { recursive: true }));

/** Uploads on a disk of the test; `sent` is one that a message of this conversation used. */
function bed(at = home) {
	const rows = new Map<string, AttachmentRow>();
	const store: AttachmentStore = {
		insert: (row) => void rows.set(row.id, row),
		find: (id) => rows.get(id),
		unused: () => [],
		bind(id, conversation) {
			const row = rows.get(id);
			if (row !== undefined) rows.set(id, { ...row, conversationId: conversation });
		},
		delete: (id) => void rows.delete(id),
		ofConversation: (conversation) => [...rows.values()].filter((row) => row.conversationId === conversation),
	};
	const attachments = createAttachments({ home: at, store, clock: createFakeClock(), ids: randomIds });
	function sent(conversation = OURS): string {
		const { id } = attachments.add({ name: "notes.txt", content: Buffer.from("x") });
		store.bind(id, conversation);
		return attachments.get(id).path;
	}
	return { attachments, sent };
}

test("[QA125] an upload is one's own by its exact path and in its own conversation only", async () => {
	const { attachments, sent } = bed();
	const path = sent();
	const { id } = attachments.add({ name: "unsent.txt", content: Buffer.from("x") });
	expect(await attachments.isOwn(OURS, path)).toBe(true);
	expect(await attachments.isOwn(OTHERS, path)).toBe(false);
	const strangers = [attachments.get(id).path, sent(OTHERS), dirname(path), `${path}/`, `${dirname(path)}/./notes.txt`, "notes.txt", ""];
	for (const stranger of strangers) expect(await attachments.isOwn(OURS, stranger), stranger).toBe(false);
});

test("[QA125] what was put in the place of an upload is not one's own: a link, a second name of a file, a linked folder, nothing", async () => {
	const { attachments, sent } = bed();
	const secret = join(top, "secret");
	writeFileSync(secret, "s");
	const [linked, named, moved, gone] = [sent(), sent(), sent(), sent()];
	for (const path of [linked, named, gone]) rmSync(path);
	symlinkSync(secret, linked);
	linkSync(secret, named);
	renameSync(dirname(moved), join(top, "elsewhere"));
	symlinkSync(join(top, "elsewhere"), dirname(moved));
	for (const path of [linked, named, moved, gone]) expect(await attachments.isOwn(OURS, path), path).toBe(false);
	const whole = sent();
	renameSync(join(home, "attachments"), join(top, "all"));
	symlinkSync(join(top, "all"), join(home, "attachments"));
	expect(await attachments.isOwn(OURS, whole)).toBe(false);
});

test("[QA125] a home directory that lies behind a link changes nothing", async () => {
	const link = join(top, "link");
	symlinkSync(top, link);
	const { attachments, sent } = bed(join(link, "home"));
	expect(await attachments.isOwn(OURS, sent())).toBe(true);
});
