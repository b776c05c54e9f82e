import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireStorageLock } from "../../store/health/storage-lock.ts";
import { loadSqlite } from "../../store/sqlite/sqlite-loader.ts";
import { prepareHome } from "./home-directory.ts";
import { findHomeOwner } from "./home-lock.ts";

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

test("[CF226] a directory of other people's files is refused and left as it is", () => {
	chmodSync(folder, 0o755);
	writeFileSync(join(folder, "thesis.txt"), "");
	expect(() => prepareHome(folder)).toThrow(/RIGHTSEAT_HOME: .*Choose an empty directory/);
	expect(modeOf(folder)).toBe(0o755);
});

test("[CF20] a home that cannot be written is refused in one line that names it", () => {
	const file = join(folder, "file");
	writeFileSync(file, "");
	expect(() => prepareHome(join(file, "home"))).toThrow(/^RIGHTSEAT_HOME: cannot write to ".*home" \(ENOTDIR\)/);
});

test("[CF11] one server per home directory: the second is told which process has it", () => {
	const lock = acquireStorageLock(loadSqlite(), join(folder, "rightseat.db"));
	expect(findHomeOwner(folder)).toEqual({ process: ` (process ${process.pid})` });
	rmSync(join(folder, "rightseat.db.pid"));
	expect(findHomeOwner(folder)).toEqual({ process: "" });
	lock.release();
	expect(findHomeOwner(folder)).toBeUndefined();
});

// Numbers are used again: process 1 belongs to another user, the parent of this one is alive, and neither is the server that died.
test.each(["1 999", "1\n", `${process.ppid} `, `${process.ppid} 1`, "", "not a number"])(
	"[CF120] a number that a power cut left behind never keeps a server from starting: %j",
	(content) => {
		for (const name of ["server.pid", "rightseat.db.pid"]) writeFileSync(join(folder, name), content);
		writeFileSync(join(folder, "rightseat.db.lock"), "");
		expect(findHomeOwner(folder)).toBeUndefined();
		acquireStorageLock(loadSqlite(), join(folder, "rightseat.db")).release();
	},
);
