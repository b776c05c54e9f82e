import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AttachmentPart, attachmentPartSchema } from "@rightseat/protocol/fleet/requests";
import { MAX_ATTACHMENT_BYTES } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { randomIds } from "../../core/kernel/ids.ts";
import { createMemoryLedger } from "../../core/kernel/memory-ledger.ts";
import { type Attachments, createAttachments } from "./attachments.ts";
import { bringFiles, FILE_PART_BYTES } from "./bring-files.ts";
import { createUploadParts, MAX_PARTIAL_UPLOADS } from "./upload-parts.ts";

let desk: CoreBed;
let laptop: CoreBed;
let home: string;
let here: Attachments;
let there: Attachments;
beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), "rightseat-parts-"));
	const make = async (name: string) => {
		const core = await createCoreBed();
		return {
			core,
			attachments: createAttachments({ home: join(home, name), store: core.store.attachments, clock: core.clock, ids: randomIds }),
		};
	};
	const [one, two] = [await make("desk"), await make("laptop")];
	[desk, laptop] = [one.core, two.core];
	[here, there] = [one.attachments, two.attachments];
});
afterEach(async () => {
	await Promise.all([desk.close(), laptop.close()]);
	rmSync(home, { recursive: true });
});

test("[FL224] a file comes whole to another host in parts, and twice it is the same file", async () => {
	const memory = createMemoryLedger();
	const upload = createUploadParts({ attachments: there, memory });
	const content = randomBytes(2 * FILE_PART_BYTES + 5);
	const { id } = await here.add({ name: "picture.bin", content });
	let sent = 0;
	const send = (part: Parameters<typeof upload>[1]) => {
		sent += 1;
		return upload("h1", part);
	};
	const [first] = await bringFiles(here, [id], send);
	expect([first, sent]).toEqual([`h1_${id}`, 3]);
	expect(readFileSync(there.get(`h1_${id}`).path).equals(content)).toBe(true);
	expect([await bringFiles(here, [id], send), sent]).toEqual([[`h1_${id}`], 4]);
	expect(memory.usage().accounts["fleet uploads"]).toBe(0);
});

test("[FL290] a file of 10 MB comes in parts that the engine takes, however small its messages are", async () => {
	const upload = createUploadParts({ attachments: there, memory: createMemoryLedger() });
	const content = randomBytes(MAX_ATTACHMENT_BYTES);
	const { id } = await here.add({ name: '"字'.repeat(100), content });
	const sizes: number[] = [];
	const send = (part: AttachmentPart) => {
		// As it is signed: a text in a text.
		sizes.push(Buffer.byteLength(JSON.stringify(JSON.stringify(attachmentPartSchema.parse(part)))));
		return upload("h1", part);
	};
	expect(await bringFiles(here, [id], send, () => 65_536)).toEqual([`h1_${id}`]);
	expect(Math.max(...sizes)).toBeLessThan(65_536 - 2_048);
	expect(readFileSync(there.get(`h1_${id}`).path).equals(content)).toBe(true);
});

test("[FL224] parts that do not fit, are too many or too large are refused, and what waits for the rest is bounded", async () => {
	const memory = createMemoryLedger();
	const upload = createUploadParts({ attachments: there, memory });
	const part = { id: "a", name: "x", size: 4, part: 0, parts: 2, base64: Buffer.from("abc").toString("base64") };
	expect(await upload("h1", part)).toBeUndefined();
	expect(await upload("h1", part)).toBeUndefined();
	await expect(upload("h1", { ...part, part: 2 })).rejects.toMatchObject({ code: "bad-request" });
	await expect(upload("h1", { ...part, part: 1 })).rejects.toMatchObject({ code: "bad-request" });
	await expect(upload("h1", { ...part, id: "b", size: 99_999_999 })).rejects.toMatchObject({ code: "attachment-too-large" });
	for (let index = 0; index < MAX_PARTIAL_UPLOADS + 3; index++) await upload("h1", { ...part, id: `c${index}` });
	expect(memory.usage().accounts["fleet uploads"]).toBe(3 * MAX_PARTIAL_UPLOADS);
	const full = createUploadParts({ attachments: there, memory: createMemoryLedger(2) });
	await expect(full("h1", part)).rejects.toMatchObject({ code: "rate-limited" });
});

test("[CX3] a file of another host whose id is a path is refused, and nothing is written", async () => {
	const upload = createUploadParts({ attachments: there, memory: createMemoryLedger() });
	const part = { name: "a.txt", size: 1, part: 0, parts: 1, base64: "eA==" };
	for (const id of ["../../x", "a/../../../x", "a/b", ".", "a b"])
		await expect(upload("h1", { id, ...part })).rejects.toMatchObject({ code: "bad-request" });
	expect(readdirSync(join(home, "laptop", "attachments"))).toEqual([]);
	expect(readdirSync(join(home, "laptop"))).toEqual(["attachments"]);
});
