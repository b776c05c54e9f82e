import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { beginTalk } from "./talk.ts";

const servers: TestServer[] = [];
const folders: string[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.close()));
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<TestServer> {
	const sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	folders.push(sessions);
	const command = acpAgentCommand(`home=${sessions}`, "ignore-eof", "ignore-term");
	const server = await startServer({ env: { RIGHTSEAT_AGENTS: JSON.stringify([{ id: "scripted", command }]) } });
	servers.push(server);
	return server;
}

/** The agent's process and one that it left in a session of its own. */
async function processesOf(server: TestServer): Promise<number[]> {
	const talk = await beginTalk(server, { agent: "scripted", permissions: "auto" });
	const { text } = await talk.send("where\norphan").ended;
	await talk.close();
	const { pid } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? "{}");
	return [Number(pid), Number(/Orphans: (\d+)/.exec(text)?.[1])];
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

test("[AC104] nothing that an agent started outlives the server, whatever it ignores", async () => {
	const server = await start();
	const pids = await processesOf(server);
	expect(pids.map(isAlive)).toEqual([true, true]);
	expect(await server.kill("SIGTERM")).toBe(0);
	await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});

test("[AC104] what the agents of a killed server left is ended by the next start", async () => {
	const server = await start();
	const pids = await processesOf(server);
	await server.kill("SIGKILL");
	expect(pids.map(isAlive)).toEqual([true, true]);
	servers.push(await server.restart());
	servers.splice(servers.indexOf(server), 1);
	await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});
