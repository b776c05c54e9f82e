import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { acpAgentCommand } from "../../test/support/acp-agent/acp-agent.ts";
import { keepFirst } from "./bare-commit.ts";
import { deltaFrame, serveBareSockets } from "./bare-sockets.ts";
import { serveRelay } from "./serve-relay.ts";

// The least that drives agents over ACP: a process each, its lines parsed, its words to the readers as they come. Nothing is checked or kept.
// As "pipe-durable" it keeps them first.
const [home = "", count = "1", kind = "pipe"] = process.argv.slice(2);
const ids = Array.from({ length: Number(count) }, (_, stream) => `stream-${stream}`);
const { url, show } = await serveBareSockets(ids);
const relay = kind === "pipe-durable" ? keepFirst(join(home, "bare.db"), show) : show;
const agents = new Map<string, Awaited<ReturnType<typeof startAgent>>>();
process.on("exit", () => {
	for (const { child } of agents.values()) child.kill("SIGKILL");
});

serveRelay({ url, headers: {}, conversationIds: ids }, async ({ streams, perSecond, seconds }) => {
	const playing = ids.slice(0, streams);
	await Promise.all(playing.map(async (id) => agents.has(id) || agents.set(id, await startAgent(id))));
	const each = Math.round(perSecond * seconds);
	return {
		async emit() {
			await Promise.all(playing.map((id) => agents.get(id)?.prompt(`stamps ${each} ${perSecond}`)));
			return each * streams;
		},
		end: () => undefined,
	};
});

async function startAgent(id: string): Promise<{ child: ChildProcess; prompt(text: string): Promise<unknown> }> {
	const [program, ...args] = acpAgentCommand();
	const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
	const waiting = new Map<number, (result: { sessionId?: string }) => void>();
	let lastId = 0;
	createInterface({ input: child.stdout }).on("line", (line) => {
		const message = JSON.parse(line);
		if (message.method === undefined) return waiting.get(message.id)?.(message.result);
		const { update } = message.params;
		if (update.sessionUpdate === "agent_message_chunk") relay(id, deltaFrame(id, update.content.text));
	});
	function request(method: string, params: object): Promise<{ sessionId?: string }> {
		lastId += 1;
		const result = new Promise<{ sessionId?: string }>((resolve) => waiting.set(lastId, resolve));
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params })}\n`);
		return result;
	}
	await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
	const { sessionId } = await request("session/new", { cwd: process.cwd(), mcpServers: [] });
	return { child, prompt: (text) => request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }) };
}
