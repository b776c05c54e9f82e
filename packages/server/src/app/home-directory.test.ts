import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareHome } from "./home-directory.ts";
import { findHomeOwner, lockHome } from "./home-lock.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-home-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("[CF10] the home directory is made with its parents, private to its owner", () => {
	const home = join(folder, "a", "b");
	prepareHome(home);
	expect(modeOf(home)).toBe(0o700);
});

test("[CF10] an empty or own directory that others could read becomes private", () => {
	for (const name of ["empty", "own"]) {
		const home = join(folder, name);
		mkdirSync(home);
		chmodSync(home, 0o755);
		if (name === "own") writeFileSync(join(home, "config.json"), "{}");
		prepareHome(home);
		expect(modeOf(home)).toBe(0o700);
	}
});

test("[CF10] a directory of other people's files is refused and left as it is", () => {
	chmodSync(folder, 0o755);
	writeFileSync(join(folder, "thesis.txt"), "");
	expect(() => prepareHome(folder)).toThrow(/RIGHTSEAT_HOME: .*Choose an empty directory/);
	expect(modeOf(folder)).toBe(0o755);
});

test("[CF10] a home that cannot be written is refused in one line that names it", () => {
	const file = join(folder, "file");
	writeFileSync(file, "");
	expect(() => prepareHome(join(file, "home"))).toThrow(/^RIGHTSEAT_HOME: cannot write to ".*home" \(ENOTDIR\)/);
});

test("[CF11] one server per home directory: the second is told which process has it", () => {
	// The process that started this one lives as long as the test.
	writeFileSync(join(folder, "server.pid"), `${process.ppid} `);
	expect(lockHome(folder)).toEqual({ ok: false, pid: process.ppid });
	expect(findHomeOwner(folder)).toBe(process.ppid);
});

// Only Linux tells when a process began, and so whether a number is used again.
const gone = ["", "not a number", "0 ", "4194303 1", ...(process.platform === "linux" ? [`${process.ppid} 1`] : [])];
test.each(gone)("[CF11] a lock whose owner is gone is taken over: %j", (content) => {
	writeFileSync(join(folder, "server.pid"), content);
	const lock = lockHome(folder);
	expect(lock.ok).toBe(true);
	if (lock.ok) lock.release();
	expect(findHomeOwner(folder)).toBeUndefined();
});
