import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { acpAgentCommand } from "../support/acp-agent/acp-agent.ts";
import { type BotApiEmulator, createBotApiEmulator } from "../support/bot-api/bot-api-emulator.ts";
import { createFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type BrowserPage, createBrowserPage } from "./browser-page.ts";
import { createDisk, type Disk } from "./disk.ts";
import { ALLOWED, emptyHistory, type History } from "./history.ts";
import { type Sign, stateOf } from "./named-state.ts";
import { descendants, isOfKind, type ProcessKind } from "./processes.ts";
import { createResilientClient, type ResilientClient } from "./resilient-client.ts";
import { sendSignal } from "./send-signal.ts";

/** Everything real, on one machine: server, runtime, shell, model, Telegram, a bad network, a small disk and two pages on one conversation. */
export interface World {
	server: TestServer;
	readonly model: ScriptedModel;
	/** Between the runtime and the model. */
	modelProxy: FaultProxy;
	readonly telegram: BotApiEmulator;
	readonly proxy: FaultProxy;
	readonly disk: Disk;
	readonly clients: ResilientClient[];
	readonly conversationId: string;
	/** The real page in a real browser, behind `proxy`; none unless it was asked for. */
	readonly page?: BrowserPage;
	/** What was sent in this round. */
	history: History;
	/** What a fault saw that no page sees by itself. */
	readonly noted: Sign[];
	note(name: string): void;
	/** Notes the states that the server tells in `/api/status`, as a page does after it has connected. */
	noteStatus(): Promise<void>;
	/** Everything that the pages were told or noticed, and what was noted. */
	signs(): Sign[];
	/** Ids of commands and tool calls that the shell really ran, with how often. */
	ran(): Map<string, number>;
	/** Who drives the conversations: Copilot with the scripted model, or the scripted agent over ACP. */
	readonly pilot: Pilot;
	/** Where the scripted agent keeps its sessions. */
	readonly agentHome: string;
	/** Processes of a kind below the server. */
	pids(kind: ProcessKind): number[];
	/** Moves the server's wall clock by this from the true time; its timers go on as before. */
	shiftClock(ms: number): void;
	/** Ends the server and asks SQLite itself whether the database is whole. */
	integrity(): Promise<string>;
	/** The server has ended. */
	isDown(): Promise<boolean>;
	/** The server is there again, whatever happened to it. */
	revive(): Promise<void>;
	close(): Promise<void>;
}

export const databaseOf = (world: Pick<World, "server">) => join(world.server.home, "rightseat.db");

export type Pilot = "copilot" | "acp";

/** The scripted agent's id in a world that it drives. */
export const AGENT = "scripted";
/** Words of one of its answers. */
const AGENT_WORDS = 40;

export async function createWorld({
	browser = false,
	pilot = "copilot",
	...options
}: {
	built?: boolean;
	browser?: boolean;
	pilot?: Pilot;
} = {}): Promise<World> {
	const model = await startScriptedModel();
	const modelProxy = await createFaultProxy({ port: Number(new URL(model.url).port) });
	const telegram = await createBotApiEmulator();
	const disk = createDisk();
	const history = emptyHistory();
	const clockFile = join(disk.beside, "clock");
	const agentHome = join(disk.beside, "agent");
	const server = await startServer({
		...options,
		home: disk.home,
		env: {
			RIGHTSEAT_PROVIDER_URL: `${modelProxy.url}/v1`,
			RIGHTSEAT_PROVIDER_KEY: "fault-suite-key",
			TELEGRAM_BOT_TOKEN: telegram.token,
			TELEGRAM_ALLOWED_USERS: ALLOWED,
			RIGHTSEAT_TELEGRAM_PAIRING: "on",
			TELEGRAM_API_ROOT: telegram.url,
			RIGHTSEAT_ASK_TIMEOUT_MS: "5000",
			RIGHTSEAT_TEST_CLOCK_FILE: clockFile,
			...(pilot === "acp" ? agentSettings(agentHome) : {}),
			NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "shift-clock.mjs")).href}`,
		},
	});
	const proxy = await createFaultProxy({ port: server.port });
	const created = await server.api("/api/conversations", { method: "POST", json: {} });
	const conversationId: string = (await created.json()).conversation.id;
	const host = new URL(server.url).host;
	const connect = (url: () => string) => createResilientClient({ url, host: () => host, token: server.token, conversationId });
	const clients = [connect(() => proxy.url.replace("http", "ws")), connect(() => server.url.replace("http", "ws"))];
	const page = browser ? await createBrowserPage({ url: `${proxy.url}/c/${conversationId}`, login: server.login }) : undefined;
	const noted: Sign[] = [];
	const world: World = {
		...{ server, model, modelProxy, telegram, proxy, disk, clients, conversationId, history, noted, pilot, agentHome },
		...(page === undefined ? {} : { page }),
		note: (name) => void noted.push({ at: Date.now(), name }),
		async noteStatus() {
			const status: Record<string, unknown> = await (await world.server.api("/api/status")).json();
			for (const [part, health] of Object.entries(status)) for (const name of stateOf(part, health)) world.note(name);
		},
		signs: () => [...clients.flatMap((client) => client.signs), ...noted],
		ran() {
			const file = join(server.workdir, "ran.log");
			const counts = new Map<string, number>();
			for (const id of existsSync(file) ? readFileSync(file, "utf8").split("\n") : [])
				if (id !== "") counts.set(id, (counts.get(id) ?? 0) + 1);
			return counts;
		},
		pids: (kind) => descendants(world.server.pid).flatMap(({ pid, args }) => (isOfKind(kind, args) ? [pid] : [])),
		shiftClock(ms) {
			writeFileSync(clockFile, String(ms));
			sendSignal([world.server.pid], "SIGUSR2");
		},
		async integrity() {
			await world.server.kill("SIGTERM");
			const copy = join(disk.beside, "examined.db");
			copyFileSync(databaseOf(world), copy);
			const database = new (loadSqlite().module.DatabaseSync)(copy);
			try {
				return String(Object.values(database.prepare("PRAGMA integrity_check").get() ?? {})[0]);
			} finally {
				database.close();
			}
		},
		isDown: () => isGone(world.server),
		async revive() {
			if (await isGone(world.server)) world.server = await world.server.restart();
		},
		async close() {
			for (const client of clients) client.close();
			await page?.close();
			await proxy.close();
			await world.server.close();
			disk.remove();
			await telegram.close();
			await world.modelProxy.close();
			await model.close();
		},
	};
	return world;
}

const agentSettings = (home: string) => ({
	RIGHTSEAT_AGENTS: JSON.stringify([{ id: AGENT, name: "Scripted", command: acpAgentCommand(`home=${home}`, `answers=${AGENT_WORDS}`) }]),
	RIGHTSEAT_DEFAULT_AGENT: AGENT,
});

async function isGone(server: TestServer): Promise<boolean> {
	return (
		(await Promise.race([server.exited.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50))])) === true
	);
}
