import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CliError } from "../cli-error.ts";
import { findServer } from "./find-server.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-find-"));
	writeFileSync(join(home, "token"), "home-token\n");
});
afterEach(() => rmSync(home, { recursive: true }));

function find(flags: Record<string, string>, env: Record<string, string> = {}) {
	return findServer({ text: (name) => flags[name] }, { env: { RIGHTSEAT_HOME: home, ...env }, cwd: home, language: "en" });
}
function problem(flags: Record<string, string>, env: Record<string, string> = {}): string {
	try {
		find(flags, env);
	} catch (error) {
		if (error instanceof CliError) return `${error.exitCode} ${error.message}`;
		throw error;
	}
	return "found";
}
const writeFile = (content: unknown) => writeFileSync(join(home, "server.json"), JSON.stringify(content));

test("[CL3] by its home, with the token that lies there", () => {
	writeFile({ url: "http://127.0.0.1:7417", pid: process.pid, version: "9", protocol: 7, more: true });
	expect(find({})).toEqual({ url: "http://127.0.0.1:7417", token: "home-token", isOwn: true });
	expect(find({ home: "." })).toMatchObject({ url: "http://127.0.0.1:7417" });
	expect(find({}, { RIGHTSEAT_TOKEN: "of-another" })).toMatchObject({ token: "home-token" });
});

test("[CL3] by --url and RIGHTSEAT_TOKEN; the token of the home goes to no address of another machine", () => {
	expect(find({ url: "https://seat.example/" }, { RIGHTSEAT_TOKEN: "t" })).toEqual({
		url: "https://seat.example",
		token: "t",
		isOwn: false,
	});
	expect(find({ url: "http://127.0.0.1:80" })).toMatchObject({ token: "home-token" });
	expect(problem({ url: "https://seat.example" })).toMatch(/^2 set RIGHTSEAT_TOKEN/);
	expect(problem({ url: "http://127.0.0.1.seat.example" })).toMatch(/^2 set RIGHTSEAT_TOKEN/);
	expect(problem({ url: "seat.example" })).toMatch(/^2 --url: "seat\.example" is not an address/);
});

test.each([
	["no file", undefined],
	["of a process that has ended", { url: "http://127.0.0.1:1", pid: 4_194_305 }],
	["of no process", { url: "http://127.0.0.1:1", pid: 0 }],
	["with another shape", { url: 7 }],
	["with an address that is none", { url: "file:///etc/passwd", pid: process.pid }],
])("[CL6] a server.json %s is no server", (_, content) => {
	if (content !== undefined) writeFile(content);
	expect(problem({})).toMatch(/^2 no Rightseat server runs with /);
});
