import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadSqlite } from "../../packages/server/src/store/sqlite-loader.ts";
import { type BotApiEmulator, createBotApiEmulator } from "../support/bot-api/bot-api-emulator.ts";
import { createFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { createResilientClient, type ResilientClient } from "./resilient-client.ts";

export const ANN = { id: 1001, name: "Ann" };

/** Everything real, on one machine: server, runtime, shell, model, Telegram, a bad network and two pages on one conversation. */
export interface World {
	server: TestServer;
	readonly model: ScriptedModel;
	readonly telegram: BotApiEmulator;
	readonly proxy: FaultProxy;
	readonly clients: ResilientClient[];
	readonly conversationId: string;
	/** Ids of commands and tool calls that the shell really ran, with how often. */
	ran(): Map<string, number>;
	/** Processes of a kind below the server. */
	pids(kind: "runtime" | "shell"): number[];
	/** Ends the server and asks SQLite itself whether the database is whole. */
	integrity(): Promise<string>;
	/** The server is there again, whatever happened to it. */
	revive(): Promise<void>;
	close(): Promise<void>;
}

export async function createWorld(options: { built?: boolean } = {}): Promise<World> {
	const model = await startScriptedModel();
	const telegram = await createBotApiEmulator();
	const server = await startServer({
		...options,
		env: {
			RIGHTSEAT_PROVIDER_URL: model.url,
			RIGHTSEAT_PROVIDER_KEY: "fault-suite-key",
			TELEGRAM_BOT_TOKEN: telegram.token,
			TELEGRAM_ALLOWED_USERS: String(ANN.id),
			TELEGRAM_API_ROOT: telegram.url,
			RIGHTSEAT_ASK_TIMEOUT_MS: "5000",
		},
	});
	const proxy = await createFaultProxy({ port: server.port });
	const created = await server.api("/api/conversations", { method: "POST", json: {} });
	const conversationId: string = (await created.json()).conversation.id;
	const host = new URL(server.url).host;
	const connect = (url: () => string) => createResilientClient({ url, host: () => host, token: server.token, conversationId });
	const clients = [connect(() => proxy.url.replace("http", "ws")), connect(() => server.url.replace("http", "ws"))];
	const world: World = {
		server,
		model,
		telegram,
		proxy,
		clients,
		conversationId,
		ran() {
			const file = join(server.workdir, "ran.log");
			const counts = new Map<string, number>();
			for (const id of existsSync(file) ? readFileSync(file, "utf8").split("\n") : [])
				if (id !== "") counts.set(id, (counts.get(id) ?? 0) + 1);
			return counts;
		},
		pids: (kind) => descendants(world.server.pid).flatMap(({ pid, args }) => (isOfKind(kind, args) ? [pid] : [])),
		async integrity() {
			await world.server.kill("SIGTERM");
			const database = new (loadSqlite().module.DatabaseSync)(join(world.server.home, "rightseat.db"));
			try {
				return String(Object.values(database.prepare("PRAGMA integrity_check").get() ?? {})[0]);
			} finally {
				database.close();
			}
		},
		async revive() {
			if (await isGone(world.server)) world.server = await world.server.restart();
		},
		async close() {
			for (const client of clients) client.close();
			await proxy.close();
			await world.server.close();
			await telegram.close();
			await model.close();
		},
	};
	return world;
}

interface ProcessRow {
	pid: number;
	parent: number;
	args: string;
}

function descendants(root: number): ProcessRow[] {
	const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
		.split("\n")
		.flatMap((line): ProcessRow[] => {
			const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
			return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
		});
	const found = new Set([root]);
	for (let before = 0; before !== found.size; ) {
		before = found.size;
		for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
	}
	return rows.filter((row) => found.has(row.pid) && row.pid !== root);
}

function isOfKind(kind: "runtime" | "shell", args: string): boolean {
	return kind === "runtime" ? args.includes("copilot-sdk-") || args.includes("copilot-runtime") : args.includes("shelld");
}

async function isGone(server: TestServer): Promise<boolean> {
	return (
		(await Promise.race([server.exited.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50))])) === true
	);
}
