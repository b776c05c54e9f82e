import { spawn } from "node:child_process";
import { join } from "node:path";
import { startServer, type TestServer } from "../test/support/server.ts";
import type { WsClient } from "../test/support/ws-client.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { createPairs } from "./support/pairs.ts";
import { over, row } from "./support/row.ts";
import { startModel } from "./support/start-model.ts";

const PROGRAM = join(import.meta.dirname, "..", "scripts", "rightseat.mjs");

/** What the command adds to a turn: from the start of the process to its exit, against the same turn over a socket that is open already. */
export const benchmark: Benchmark = {
	name: "cli-ask",
	async run({ quick }) {
		const model = await startModel();
		await model.script({ tokens: { count: 10, perSecond: 1_000 } });
		const server = await startServer({ env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_LOG: "info" }, built: true });
		const socket = await server.ws();
		const turns = createPairs();
		// The first turns open sessions and fill caches.
		for (let round = -2; round < (quick ? 3 : 20); round += 1) {
			const limit = await turnOver(socket, server);
			const ours = await turnByCommand(server);
			if (round < 0) continue;
			turns.limit.push(limit);
			turns.ours.push(ours);
		}
		await socket.close();
		await server.close();
		model.close();
		return { rows: [row({ name: "a turn by rightseat ask, in a clone", unit: "ms", ...turns, goal: over(150), quick })] };
	},
};

async function turnOver(socket: WsClient, server: TestServer): Promise<number> {
	const begin = performance.now();
	const { conversation } = await (await server.api("/api/conversations", { method: "POST", json: {} })).json();
	const idle = socket.next("copilot:idle", ({ data }) => data.conversationId === conversation.id);
	socket.send({ type: "copilot:send", data: { conversationId: conversation.id, prompt: "Hello" } });
	await idle;
	return performance.now() - begin;
}

function turnByCommand({ home }: TestServer): Promise<number> {
	const begin = performance.now();
	const env = { PATH: process.env.PATH, HOME: home, RIGHTSEAT_HOME: home };
	const child = spawn(process.execPath, [PROGRAM, "ask", "Hello"], { env, stdio: ["ignore", "pipe", "ignore"] });
	child.stdout.resume();
	return new Promise((resolve, reject) => {
		child.on("error", reject);
		child.on("exit", (code) => (code === 0 ? resolve(performance.now() - begin) : reject(new Error(`ask ended with ${code}`))));
	});
}
