import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { descendants, isOfKind } from "../../faults/processes.ts";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { beginTalk, type Talk } from "./talk.ts";

const servers: TestServer[] = [];
const folders: string[] = [];
const talks: Talk[] = [];

afterEach(async () => {
	await Promise.all(talks.splice(0).map((talk) => talk.close()));
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

interface Left {
	talk: Talk;
	/** The agent's process, one that it left in a session of its own, and one that has nothing of it but its mark. */
	pids: number[];
}

async function processesOf(server: TestServer): Promise<Left> {
	const talk = await beginTalk(server, { agent: "scripted", permissions: "auto" });
	talks.push(talk);
	const { text } = await talk.send("where\norphan\ndaemon").ended;
	const { pid } = JSON.parse(/\{.*?\}/.exec(text)?.[0] ?? "{}");
	const pids = [Number(pid), Number(/Orphans: (\d+)/.exec(text)?.[1]), Number(/Daemon: (\d+)/.exec(text)?.[1])];
	expect(pids.map(isAlive)).toEqual([true, true, true]);
	return { talk, pids };
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
const expectGone = (pids: number[]) => expect.poll(() => pids.filter(isAlive)).toEqual([]);

test("[AC104] nothing that an agent started outlives the server, whatever it ignores", async () => {
	const server = await start();
	const { pids } = await processesOf(server);
	expect(await server.kill("SIGTERM")).toBe(0);
	await expectGone(pids);
});

test("[AC403] nothing that an agent started outlives a server that was killed: the shell process ends it", async () => {
	const server = await start();
	const { pids } = await processesOf(server);
	await server.kill("SIGKILL");
	await expectGone(pids);
});

test("[AC104] what the agents of a server left that was killed with its shell process is ended by the next start", async () => {
	const server = await start();
	const { pids } = await processesOf(server);
	const [shell] = descendants(server.pid).filter(({ parent, args }) => parent === server.pid && isOfKind("shell", args));
	// Stopped first: it must not see the end of the one whose end it waits for.
	for (const [pid, signal] of [
		[server.pid, "SIGSTOP"],
		[shell?.pid ?? 0, "SIGKILL"],
	] as const)
		process.kill(pid, signal);
	await server.kill("SIGKILL");
	expect(pids.map(isAlive)).toEqual([true, true, true]);
	servers.push(await server.restart());
	servers.splice(servers.indexOf(server), 1);
	await expectGone(pids);
});

test("[AC404] nothing that an agent started outlives its conversation", async () => {
	const server = await start();
	const { talk, pids } = await processesOf(server);
	const other = await processesOf(server);
	expect((await server.api(`/api/conversations/${talk.id}`, { method: "DELETE" })).status).toBeLessThan(300);
	await expectGone(pids);
	expect(other.pids.map(isAlive)).toEqual([true, true, true]);
});

test("[AC404] a stop that ends the agent ends what it started", async () => {
	const server = await start();
	const { talk, pids } = await processesOf(server);
	const sent = talk.send("say words\ndeaf");
	await sent.said("words");
	talk.stop();
	expect((await sent.ended).outcome).toBe("aborted");
	await expectGone(pids);
});
