import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareHome } from "./home-directory.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-private-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[CF28] files and folders that others could read are made private at the start", () => {
	const home = join(folder, "home");
	mkdirSync(join(home, "agent/session-state"), { recursive: true });
	writeFileSync(join(home, "config.json"), "{}");
	writeFileSync(join(home, "agent/session-state/events.jsonl"), "");
	chmodSync(home, 0o700);
	for (const file of ["config.json", "agent/session-state/events.jsonl"]) chmodSync(join(home, file), 0o644);
	for (const sub of ["agent", "agent/session-state"]) chmodSync(join(home, sub), 0o755);
	prepareHome(home);
	const mode = (path: string) => statSync(join(home, path)).mode & 0o777;
	expect([mode("config.json"), mode("agent/session-state/events.jsonl"), mode("agent"), mode("agent/session-state")]).toEqual([
		0o600, 0o600, 0o700, 0o700,
	]);
});

test("[CF20] a home that can never be made is told at once", () => {
	expect(() => prepareHome("/proc/nope/home")).toThrow(/^RIGHTSEAT_HOME: cannot write to/);
});
