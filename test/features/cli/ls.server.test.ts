import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../support/cli.ts";
import { runToEnd, startServer, type TestServer } from "../../support/server.ts";

let server: TestServer;
beforeAll(async () => {
	server = await startServer();
});
afterAll(() => server.close());

const run = (args: string[], env: NodeJS.ProcessEnv = {}) => runCli(args, { home: server.home, env });
const create = async (body: object) => {
	const response = await server.api("/api/conversations", { method: "POST", json: body });
	const { conversation } = await response.json();
	return String(conversation.id);
};

test("[CL20] ls lists id, state, agent, age, folder and title; with --json one conversation a line", async () => {
	const id = await create({ title: "修理 the clock\u001b]52;c;AAAA\u0007" });
	const table = await run(["ls"]);
	expect(table).toMatchObject({ exit: 0, stderr: "" });
	expect(table.stdout).toMatch(/^ID +STATE +AGENT +AGE +FOLDER +TITLE\n/);
	expect(table.stdout).toMatch(new RegExp(`^${id} +new +copilot +\\d+s +\\S+ +修理 the clock`, "m"));
	expect(table.stdout).not.toContain("\u001b");
	const json = await run(["ls", "--json"], { FORCE_COLOR: "1" });
	const rows = json.stdout.trim().split("\n");
	expect(rows.map((row) => JSON.parse(row).id)).toContain(id);
	expect(json.stdout).not.toContain("\u001b");
	expect((await run(["ls"], { FORCE_COLOR: "1" })).stdout).toContain("\u001b[");
});

test("[CL20] archived conversations are listed with --all only", async () => {
	const id = await create({ title: "Put away" });
	await server.api(`/api/conversations/${id}`, { method: "PATCH", json: { archived: true } });
	expect((await run(["ls"])).stdout).not.toContain(id);
	expect((await run(["ls", "--all"])).stdout).toContain(id);
});

test("[CL5] a wrong token, no server at an address, and something that is no Rightseat: one line each, exit 2", async () => {
	const wrong = await run(["ls", "--url", server.url], { RIGHTSEAT_TOKEN: "wrong" });
	expect(wrong).toMatchObject({ exit: 2, stdout: "" });
	expect(wrong.stderr).toMatch(/^rightseat ls: .+ does not accept this access token\..+\n$/);
	const nobody = await run(["ls", "--url", "http://127.0.0.1:1"], { RIGHTSEAT_TOKEN: "t" });
	expect([nobody.exit, nobody.stderr]).toEqual([2, expect.stringMatching(/^rightseat ls: no Rightseat server answers at .+\n$/)]);
	const empty = mkdtempSync(join(tmpdir(), "rightseat-nobody-"));
	const none = await runCli(["ls"], { home: empty, env: { LANG: "zh_TW.UTF-8" } });
	rmSync(empty, { recursive: true });
	expect([none.exit, none.stderr]).toEqual([2, expect.stringMatching(/^rightseat ls: 沒有以 .+\n$/)]);
});

test("[CL10] help lists every command, each has --help, and an unknown command or flag is one line, exit 2", async () => {
	const workdir = server.workdir;
	const main = (...args: string[]) => runToEnd({ args, home: server.home, workdir });
	const help = await main("help");
	for (const name of ["start", "doctor", "ls", "version", "help"])
		expect(help.output).toMatch(new RegExp(`^ +npx rightseat ${name} `, "m"));
	expect((await main("ls", "--help")).output).toMatch(/^Usage: rightseat ls /);
	expect(await main("ls", "--colour")).toEqual({ exit: 2, output: "rightseat ls: unknown flag --colour. Try --help.\n" });
	expect(await main("lss")).toMatchObject({ exit: 2, output: expect.stringMatching(/^Unknown command "lss"\. There are .+\n$/) });
});

test("[CL1] server.json is there while the server runs, and gone at its end", async () => {
	const own = await startServer({ home: mkdtempSync(join(tmpdir(), "rightseat-own-")) });
	expect(existsSync(join(own.home, "server.json"))).toBe(true);
	await own.close();
	expect(existsSync(join(own.home, "server.json"))).toBe(false);
	rmSync(own.home, { recursive: true, force: true });
});
