import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileNameFor, MAX_FILE_NAME_BYTES, removeAttachment, writeAttachment } from "./attachment-file.ts";

test.each([
	["notes.md", "text/markdown", "notes.md"],
	["報告 (2).csv", "text/csv", "報告 (2).csv"],
	["photo", "image/png", "photo.png"],
	["photo.JPEG", "image/jpeg", "photo.JPEG"],
	["photo.txt", "image/webp", "photo.txt.webp"],
	["../../etc/passwd", "text/plain", "_.._etc_passwd"],
	["..", "text/plain", "file"],
	[".env", "text/plain", "env"],
	["-rf $(x);\n.sh", "text/plain", "rf _(x)_.sh"],
	["IMG_0001.HEIC", "application/octet-stream", "IMG_0001.HEIC.bin"],
	["table.png", "text/csv", "table.png.bin"],
	["CON", "text/plain", "_CON"],
	["nul.tar.gz", "application/gzip", "_nul.tar.gz"],
	["console.log", "text/plain", "console.log"],
	["\u202egnp.exe", "application/octet-stream", "_gnp.exe"],
])("[RT112] %j of type %s lies on disk as %j", (name, mimeType, expected) => {
	expect(fileNameFor(name, mimeType)).toBe(expected);
});

test("[RT112] a long name is cut between characters and keeps its ending", () => {
	const name = fileNameFor(`${"飛".repeat(200)}.png`, "image/png");
	expect(name).toMatch(/^飛+\.png$/);
	expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
});

test("[RT112] an upload has a private directory of its own, which goes with it; an earlier one without a directory goes too", async () => {
	const directory = join(mkdtempSync(join(tmpdir(), "rightseat-attachments-")), "attachments");
	const path = await writeAttachment(join(directory, ".."), { id: "attachments", fileName: "other.txt", content: Buffer.from("x") });
	const first = await writeAttachment(directory, { id: "a", fileName: "a.txt", content: Buffer.from("x") });
	expect([statSync(first).mode & 0o777, statSync(join(directory, "a")).mode & 0o777]).toEqual([0o600, 0o700]);
	writeFileSync(join(directory, "earlier"), "x");
	await removeAttachment(first);
	await removeAttachment(first);
	await removeAttachment(join(directory, "earlier"));
	expect(["a", "earlier"].map((name) => existsSync(join(directory, name)))).toEqual([false, false]);
	expect(existsSync(path)).toBe(true);
	rmSync(join(directory, ".."), { recursive: true });
});
