import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_INLINE_BYTES, MAX_INLINE_TOTAL_BYTES, readInlineTexts } from "./inline-text.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-inline-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const same = (text: string) => text;
function file(name: string, content: string | Buffer, mimeType = "text/plain") {
	writeFileSync(join(folder, name), content);
	return { path: join(folder, name), name, mimeType };
}

test("[CX1] a text file of up to 20,000 bytes is told whole; one that is larger, no text or not there any more is not", async () => {
	const exact = "字".repeat(Math.floor(MAX_INLINE_BYTES / 3));
	const files = [
		file("報告.md", "# 一\r\n<b>\ufeff", "text/markdown"),
		file("exact.txt", exact),
		file("over.txt", `${exact}xyz`),
		file("late.txt", Buffer.concat([Buffer.alloc(5_000, "a"), Buffer.from([0xff])])),
		file("zero.txt", "a\0b"),
		file("data.json", '{"a":1}', "application/json"),
		file("a.bin", "text all the same", "application/octet-stream"),
		{ path: join(folder, "gone.txt"), name: "gone.txt", mimeType: "text/plain" },
		{ path: folder, name: "folder", mimeType: "text/plain" },
	];
	expect(await readInlineTexts(files, same)).toEqual([
		...["# 一\r\n<b>\ufeff", exact, undefined, undefined, undefined, '{"a":1}', undefined, undefined, undefined],
	]);
});

test("[CX1] one prompt tells so much of files and no more, and none that holds a secret of ours", async () => {
	const files = Array.from({ length: 5 }, (_, index) => file(`${index}.txt`, "x".repeat(MAX_INLINE_BYTES)));
	const told = await readInlineTexts([file("key.txt", "the key-1"), ...files], (text) => text.replace("key-1", "***"));
	expect(told.map((text) => text?.length)).toEqual([undefined, MAX_INLINE_BYTES, MAX_INLINE_BYTES, MAX_INLINE_BYTES, undefined, undefined]);
	expect(3 * MAX_INLINE_BYTES).toBe(MAX_INLINE_TOTAL_BYTES);
});

test("[CX2] a link, or a second name of another file, in the place of an upload is not read", async () => {
	const secret = file("secret", "secret");
	symlinkSync(secret.path, join(folder, "link.txt"));
	linkSync(secret.path, join(folder, "hard.txt"));
	const files = ["link.txt", "hard.txt"].map((name) => ({ path: join(folder, name), name, mimeType: "text/plain" }));
	expect(await readInlineTexts(files, same)).toEqual([undefined, undefined]);
});
