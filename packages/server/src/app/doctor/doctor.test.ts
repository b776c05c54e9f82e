import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseConfig } from "../config/config.ts";
import { runDoctor } from "./doctor.ts";
import { checkBash, checkMemory, checkNode, checkRuntimePackage } from "./machine.ts";
import { checkFiles } from "./security.ts";

let home: string;
let servers: Server[] = [];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-doctor-"));
});
afterEach(async () => {
	await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
	servers = [];
	rmSync(home, { recursive: true, force: true });
});

async function doctor(env: NodeJS.ProcessEnv = {}) {
	const all = { PATH: process.env.PATH, RIGHTSEAT_HOME: home, PORT: "0", ...env };
	const lines: string[] = [];
	const code = await runDoctor(parseConfig([], all, "/"), { env: all, print: (line) => lines.push(line) });
	return { code, lines, line: (subject: string) => lines.find((line) => line.includes(` ${subject}: `)) };
}

/** Answers every request with this status. */
async function listen(status: number): Promise<number> {
	const server = createServer((_, response) => response.writeHead(status).end("{}"));
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	return typeof address === "object" && address !== null ? address.port : 0;
}

test("[CF18] a healthy machine: a line for each check, none an error, exit 0", async () => {
	const { code, lines } = await doctor();
	const subjects = lines.slice(0, -1).map((line) => /^(?:ok|warning) +([a-z ]+): /.exec(line)?.[1]);
	expect(subjects).toEqual([
		...["node", "agent runtime", "sqlite", "git", "bash", "page", "configuration"],
		...["home directory", "access token", "disk space", "memory", "port", "agent", "other agents", "telegram", "fleet"],
		...[
			"reachable from",
			"loopback names",
			"public address",
			"phones",
			"private files",
			"permissions",
			"working directories",
			"secrets",
			"telegram access",
		],
	]);
	expect(code).toBe(0);
});

test("[CF400] the doctor does not complain about the bits of files in work trees", () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-doctor-"));
	mkdirSync(join(home, "worktrees/app"), { recursive: true, mode: 0o700 });
	mkdirSync(join(home, "logs"), { mode: 0o700 });
	writeFileSync(join(home, "worktrees/app/run.sh"), "", { mode: 0o755 });
	expect(checkFiles(home)).toMatchObject({ level: "ok" });
	writeFileSync(join(home, "logs/open"), "", { mode: 0o644 });
	expect(checkFiles(home)).toMatchObject({ level: "warning" });
	rmSync(home, { recursive: true });
});

test("[SE36] the doctor says who can reach the server, what others can read, what the agent may do and who may speak to it", async () => {
	writeFileSync(join(home, "rightseat.db"), "");
	chmodSync(join(home, "rightseat.db"), 0o644);
	const exposed = { HOST: "0.0.0.0", RIGHTSEAT_BEHIND_PROXY: "1", RIGHTSEAT_PERMISSIONS: "ask", RIGHTSEAT_ROOTS: home };
	const { line } = await doctor({
		...exposed,
		RIGHTSEAT_PROVIDER_KEY: "k-12345678",
		RIGHTSEAT_PROVIDER_URL: `http://127.0.0.1:${await listen(200)}`,
	});
	expect(line("reachable from")).toMatch(/^warning .*without TLS/);
	expect(line("private files")).toMatch(/^warning .*rightseat\.db/);
	expect(line("permissions")).toMatch(/^ok .*asks before/);
	expect(line("working directories")).toContain(home);
	expect(line("secrets")).toMatch(/RIGHTSEAT_PROVIDER_KEY/);
	expect(line("secrets")).not.toContain("k-12345678");
	expect(line("secrets")).toMatch(/no command inherits it.*can still read it in \/proc\/PID\/environ/);
	expect((await doctor()).line("reachable from")).toMatch(/^ok .*this machine only/);
});

test("[CF18] a home that is a file is an error, and the other checks still report", async () => {
	const file = join(home, "file");
	writeFileSync(file, "x");
	const { code, line, lines } = await doctor({ RIGHTSEAT_HOME: file });
	expect(line("home directory")).toMatch(/^error .*--home/);
	expect(line("private files")).toMatch(/^warning .*cannot be looked at/);
	expect(lines.at(-1)).toMatch(/in the way\.$/);
	expect(code).toBe(1);
});

test("[CF18] a bad configuration is one of the lines, and exit is 1", async () => {
	const { code, line } = await doctor({ PORT: "many" });
	expect(line("configuration")).toMatch(/^error +configuration: PORT must be/);
	expect(code).toBe(1);
});

test("[CF18] a port that is taken, an open token file and a missing bash are errors that say what to do", async () => {
	writeFileSync(join(home, "token"), "x");
	chmodSync(join(home, "token"), 0o644);
	const { code, line } = await doctor({ PORT: String(await listen(200)), PATH: home });
	expect(line("port")).toMatch(/^error .*--port/);
	expect(line("access token")).toMatch(/^error .*chmod 600/);
	expect(line("bash")).toMatch(/^error .*Install bash/);
	expect(line("git")).toMatch(/^warning .*Install git/);
	expect(code).toBe(1);
});

test("[SH111] a bash that is too old for commands is an error, not a warning", async () => {
	writeFileSync(join(home, "bash"), "#!/bin/sh\nprintf 3.2.57\n", { mode: 0o700 });
	const found = await checkBash({ PATH: home }, []);
	expect(found).toMatchObject({ level: "error", detail: expect.stringContaining("is bash 3.2.57, and commands need 4.4 or later") });
});

test.each([
	[200, /^ok .*answers/],
	[401, /^error .*RIGHTSEAT_PROVIDER_KEY/],
	[500, /^warning .*answers 500/],
])("[CF18] a provider that answers %i", async (status, expected) => {
	const { line } = await doctor({
		RIGHTSEAT_PROVIDER_URL: `http://127.0.0.1:${await listen(status)}/v1`,
		RIGHTSEAT_PROVIDER_KEY: "secret-key",
	});
	expect(line("agent")).toMatch(expected);
});

test("[CF18] a provider and a Bot API that do not answer; the token is not shown", async () => {
	const TELEGRAM_BOT_TOKEN = "12345678:secretsecretsecret";
	const { line, lines } = await doctor({
		RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9",
		TELEGRAM_BOT_TOKEN,
		TELEGRAM_API_ROOT: "http://127.0.0.1:9",
	});
	expect(line("agent")).toMatch(/^error .*RIGHTSEAT_PROVIDER_URL/);
	expect(line("telegram")).toMatch(/^error .*TELEGRAM_API_ROOT/);
	expect(lines.join("\n")).not.toContain("secretsecret");
});

test("[CF18] a refused bot token is told from a bot that answers", async () => {
	const bot = async (status: number) =>
		(await doctor({ TELEGRAM_BOT_TOKEN: "1:x", TELEGRAM_API_ROOT: `http://127.0.0.1:${await listen(status)}` })).line("telegram");
	expect(await bot(200)).toMatch(/^ok/);
	expect(await bot(401)).toMatch(/^error .*TELEGRAM_BOT_TOKEN/);
});

test("[CF18] an old Node and a missing runtime package are errors", () => {
	expect(["18.20.0", "20.18.1", "22.11.0"].map((version) => checkNode(version).level)).toEqual(["error", "error", "error"]);
	expect(["20.19.0", "22.12.0", "24.0.0"].map((version) => checkNode(version).level)).toEqual(["ok", "ok", "ok"]);
	expect(checkRuntimePackage(home)).toMatchObject({ level: "error" });
	expect(checkRuntimePackage(home, join(home, "gone"))).toMatchObject({ level: "error" });
	expect(checkRuntimePackage(home, process.execPath)).toMatchObject({ level: "ok" });
});

test("[CF124] the doctor compares the memory for buffers with the machine's", () => {
	expect(checkMemory(128, 8_000)).toMatchObject({ level: "ok", detail: "at most 128 MB for buffers, of 8000 MB" });
	expect(checkMemory(128, 400)).toMatchObject({ level: "warning", detail: expect.stringContaining("RIGHTSEAT_MEMORY_MB") });
});

test("[AG55] the doctor names the agents that are there with their versions, and what to install for those that are wanted", async () => {
	writeFileSync(join(home, "opencode"), "#!/bin/sh\n", { mode: 0o700 });
	const none = await doctor({ PATH: "/nowhere" });
	expect(none.line("other agents")).toMatch(/^ok .*none found; docs\/agents\.md/);
	expect((await doctor({ PATH: home })).line("other agents")).toMatch(/^ok .*: opencode \(opencode\)$/);
	writeFileSync(join(home, "codex"), "#!/bin/sh\n", { mode: 0o700 });
	const RIGHTSEAT_AGENTS = JSON.stringify([{ id: "mine", name: "Mine", command: ["no-such-agent"] }]);
	const { line } = await doctor({ PATH: home, RIGHTSEAT_AGENTS, RIGHTSEAT_DEFAULT_AGENT: "gemini" });
	expect(line("other agents")).toMatch(/^warning .*: opencode \(opencode\)\. Mine is not installed: there is no program no-such-agent\./);
	expect(line("other agents")).toContain("npm install -g @agentclientprotocol/codex-acp");
	expect(line("other agents")).toContain("npm install -g @google/gemini-cli");
	expect(line("other agents")).not.toContain("kimi");
});
