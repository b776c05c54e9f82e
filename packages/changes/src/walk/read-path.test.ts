import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryBlobs } from "../blobs/memory-blobs.ts";
import { fsPath } from "../paths/byte-path.ts";
import { hashOf, MAX_FILE_BYTES, readPath } from "./read-path.ts";

let root = "";
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "rightseat-read-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("[CH3] a file is its bytes, size and all permission bits; a link its target; a folder its mode", () => {
	writeFileSync(join(root, "file"), "text");
	chmodSync(join(root, "file"), 0o4751);
	symlinkSync("/nowhere/\xe9", join(root, "link"));
	mkdirSync(join(root, "folder"), { mode: 0o700 });
	expect(readPath(root, "file").state).toEqual({ kind: "file", hash: hashOf(Buffer.from("text")), size: 4, mode: 0o4751 });
	expect(readPath(root, "link").state).toEqual({ kind: "link", target: Buffer.from("/nowhere/\xe9").toString("latin1") });
	expect(readPath(root, "folder").state).toEqual({ kind: "folder", mode: 0o700 });
	expect(readPath(root, "missing").state).toEqual({ kind: "absent" });
	expect(readPath(root, "file/below").state).toEqual({ kind: "absent" });
});

test("[CH1] case 8: a name that is no UTF-8 is read by its bytes", () => {
	writeFileSync(fsPath(root, "caf\xe9\n"), "odd");
	expect(readPath(root, "caf\xe9\n").state).toMatchObject({ kind: "file", size: 3 });
});

test("[CH3] case 9: pipe, socket and device are listed and never opened", async () => {
	execFileSync("mkfifo", [join(root, "pipe")]);
	const server = createServer().listen(join(root, "socket"));
	await new Promise((resolve) => server.once("listening", resolve));
	const special = { kind: "unknown", reason: "special" };
	expect(["pipe", "socket"].map((name) => readPath(root, name).state)).toEqual([special, special]);
	expect(readPath("/dev", "null").state).toEqual(special);
	server.close();
});

test("[CH3] case 36: a file above the bound is listed, one at the bound is read", () => {
	writeFileSync(join(root, "large"), "");
	truncateSync(join(root, "large"), MAX_FILE_BYTES + 1);
	expect(readPath(root, "large").state).toEqual({ kind: "unknown", reason: "too-large" });
	truncateSync(join(root, "large"), MAX_FILE_BYTES);
	expect(readPath(root, "large").state).toMatchObject({ kind: "file", size: MAX_FILE_BYTES });
});

test("[CH3] contents kept in memory are found by their hash", async () => {
	const blobs = createMemoryBlobs();
	const hash = blobs.put(Buffer.from("text"));
	await blobs.sync();
	expect([hash, Buffer.from(blobs.get(hash) ?? []).toString(), blobs.get("0")]).toEqual([hashOf(Buffer.from("text")), "text", undefined]);
});
