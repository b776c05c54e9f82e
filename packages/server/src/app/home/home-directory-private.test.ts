import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareHome } from "./home-directory.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-private-"));
});
const modeOf = (path: string) => statSync(path).mode & 0o777;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[CF28] what lies in the home directory and others could read is made private at the start", () => {
	const home = join(folder, "home");
	mkdirSync(join(home, "agent"), { recursive: true });
	writeFileSync(join(home, "config.json"), "{}");
	chmodSync(home, 0o700);
	chmodSync(join(home, "config.json"), 0o644);
	chmodSync(join(home, "agent"), 0o755);
	prepareHome(home);
	expect([modeOf(join(home, "config.json")), modeOf(join(home, "agent"))]).toEqual([0o600, 0o700]);
});

test("[CF20] a home that can never be made is told at once", () => {
	expect(() => prepareHome("/proc/nope/home")).toThrow(/^RIGHTSEAT_HOME: cannot write to/);
});
