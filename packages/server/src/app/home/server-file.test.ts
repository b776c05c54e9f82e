import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeServerFile, writeServerFile } from "./server-file.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-server-file-"));
});
afterEach(() => rmSync(home, { recursive: true }));

test("[CL1] server.json is private, says where the server is and who it is, and goes with it", () => {
	writeServerFile(home, { url: "http://127.0.0.1:80", version: "1.2.3" });
	const file = join(home, "server.json");
	expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
		url: "http://127.0.0.1:80",
		pid: process.pid,
		version: "1.2.3",
		protocol: PROTOCOL_VERSION,
		startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
	});
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(readdirSync(home)).toEqual(["server.json"]);
	removeServerFile(home);
	expect(readdirSync(home)).toEqual([]);
});

test("[CL2] one that another process wrote stays", () => {
	const file = join(home, "server.json");
	writeFileSync(file, JSON.stringify({ url: "http://127.0.0.1:81", pid: process.pid + 1 }));
	removeServerFile(home);
	expect(existsSync(file)).toBe(true);
});
