import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { runFleet } from "../../../packages/server/src/app/fleet/fleet-command.ts";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { writeToken } from "../../support/write-token.ts";
import { createDisk, type Disk } from "../disk.ts";
import { sendSignal } from "../send-signal.ts";
import { wait } from "../wait.ts";
import { type Cluster, type Doors, NODES, type NodeIndex, startCluster } from "./cluster.ts";

/** `desk` owns the conversations; the other two look at them. */
export const SEATS = ["desk", "laptop", "tower"] as const;
export type SeatName = (typeof SEATS)[number];

/** One server of the fleet, with its own ways to the nodes. */
export interface Seat {
	readonly name: SeatName;
	server: TestServer;
	readonly doors: Doors;
	readonly home: string;
	/** Its id in the fleet. */
	id: string;
	/** Kills it if it runs, and starts it again. */
	restart(): Promise<void>;
	/** Moves its wall clock by this from the true time; its timers go on. */
	shiftClock(ms: number): void;
}

/** Everything real: three nodes, three servers, the scripted model. */
export interface FleetWorld {
	readonly cluster: Cluster;
	readonly model: ScriptedModel;
	/** Laptop and tower have the token of one bot. */
	readonly bot: BotApiEmulator;
	readonly seats: Readonly<Record<SeatName, Seat>>;
	readonly fleet: string;
	/** Of all nodes, without a proxy between. */
	readonly directUrl: string;
	/** What every member logs in with. */
	readonly credsFile: string;
	/** Where the third node keeps its streams; `none`: it cannot be filled here. */
	readonly disk: Disk;
	/** Whoever runs NATS, on a node that is up. Closed by the caller. */
	operator(): Promise<NatsConnection>;
	/** `rightseat fleet …` on a home directory. */
	command(home: string, args: readonly string[], url?: string): Promise<{ code: number; out: string; err: string }>;
	newHome(): string;
	/** Desk on the first node, laptop on the second, tower on the third; everybody online. */
	settle(): Promise<void>;
	close(): Promise<void>;
}

const USED_LINES = 2;
const ONLINE_LIMIT_MS = 60_000;

export async function createFleetWorld(options: { program?: string } = {}): Promise<FleetWorld> {
	const disk = createDisk();
	const folder = mkdtempSync(join(tmpdir(), "rightseat-fleet-proof-"));
	const cluster = await startCluster(disk.kind === "none" ? {} : { 2: disk.home });
	const [model, bot] = await Promise.all([startScriptedModel(), createBotApiEmulator()]);
	const credsFile = join(folder, "creds");
	writeFileSync(credsFile, `fleet:${cluster.settings().password}`, { mode: 0o600 });

	function newHome(): string {
		const home = mkdtempSync(join(folder, "home-"));
		writeToken(home);
		return home;
	}
	const directUrl = cluster.urls.map((url) => `nats://${url}`).join(",");
	const command: FleetWorld["command"] = async (home, args, url = directUrl) => {
		const [out, err]: [string[], string[]] = [[], []];
		const env = { RIGHTSEAT_FLEET_URL: url, RIGHTSEAT_FLEET_CREDS: credsFile, LANG: "C" };
		const cli = {
			...{ argv: [], env, cwd: folder, commands: [] },
			print: (text: string) => void out.push(text),
			printError: (text: string) => void err.push(text),
		};
		const code = await runFleet([...args, "--home", home], cli, { person: undefined, signal: new AbortController().signal });
		return { code, out: out.join("\n"), err: err.join("\n") };
	};
	async function mustSucceed(home: string, ...args: string[]): Promise<string> {
		const { code, out, err } = await command(home, args);
		if (code !== 0) throw new Error(`rightseat fleet ${args.join(" ")} ended with ${code}: ${err}`);
		return out;
	}
	async function seat(name: SeatName, home: string): Promise<Seat> {
		const doors = await cluster.doors();
		const clockFile = join(home, "test-clock");
		const server = await startServer({
			...{ home, ...options },
			env: {
				...{ RIGHTSEAT_FLEET_URL: doors.url, RIGHTSEAT_FLEET_CREDS: credsFile },
				...{ RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "fleet-proof" },
				...(name === "desk" ? {} : { TELEGRAM_BOT_TOKEN: bot.token, TELEGRAM_ALLOWED_USERS: "1001", TELEGRAM_API_ROOT: bot.url }),
				...{ RIGHTSEAT_TEST_CLOCK_FILE: clockFile, RIGHTSEAT_ASK_TIMEOUT_MS: "120000" },
				NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "..", "shift-clock.mjs")).href}`,
			},
		});
		const made: Seat = {
			...{ name, server, doors, home, id: "" },
			async restart() {
				made.server = await made.server.restart();
			},
			shiftClock(ms) {
				writeFileSync(clockFile, String(ms));
				sendSignal([made.server.pid], "SIGUSR2");
			},
		};
		return made;
	}
	await untilLed(cluster);
	const homes = { desk: newHome(), laptop: newHome(), tower: newHome() };
	await mustSucceed(homes.desk, "init", "--name", "desk");
	const desk = await seat("desk", homes.desk);
	for (const name of ["laptop", "tower"] as const)
		await mustSucceed(homes[name], "join", await mustSucceed(homes.desk, "invite"), "--name", name);
	const seats = { desk, laptop: await seat("laptop", homes.laptop), tower: await seat("tower", homes.tower) };
	const world: FleetWorld = {
		...{ cluster, model, bot, seats, disk, command, newHome, directUrl, credsFile },
		fleet: /"fleet":\s*"([^"]+)"/.exec(readFileSync(join(homes.desk, "fleet", "fleet.json"), "utf8"))?.[1] ?? "",
		operator: () => operatorOf(cluster),
		async settle() {
			const places: [Seat, NodeIndex][] = [
				[seats.desk, 0],
				[seats.laptop, 1],
				[seats.tower, 2],
			];
			await untilLed(cluster);
			await Promise.all(places.map(([{ doors }, node]) => doors.moveTo(node, USED_LINES)));
			await allOnline(world);
		},
		async close() {
			for (const { server, doors } of Object.values(seats)) {
				await server.close().catch((error: unknown) => console.log(String(error).slice(0, 2_000)));
				await doors.close();
			}
			await cluster.close();
			await Promise.all([model.close(), bot.close()]);
			disk.remove();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
	await allOnline(world);
	return world;
}

/** Until every node takes part and the cluster has a leader. */
async function untilLed(cluster: Cluster): Promise<void> {
	await until("a cluster that works", ONLINE_LIMIT_MS, async () => {
		for (const url of cluster.urls) {
			const user = { user: "fleet", pass: cluster.settings().password };
			const connection = await connect({ servers: url, ...user, timeout: 2_000, reconnect: false });
			try {
				const manager = await jetstreamManager(connection, { timeout: 2_000 });
				await manager.getAccountInfo();
			} finally {
				await connection.close();
			}
		}
		return true;
	});
}

async function operatorOf(cluster: Cluster): Promise<NatsConnection> {
	const servers = NODES.filter((node) => cluster.isUp(node)).map((node) => cluster.urls[node] ?? "");
	const user = { user: "fleet", pass: cluster.settings().password };
	return await connect({ servers, ...user, maxReconnectAttempts: -1, timeout: 5_000 });
}

/** Every server sees every host, and each of them online. */
async function allOnline({ seats }: Pick<FleetWorld, "seats">): Promise<void> {
	for (const seat of Object.values(seats)) {
		await until(`three hosts online on ${seat.name}`, ONLINE_LIMIT_MS, async () => {
			const hosts = await hostsOf(seat);
			seat.id = hosts.find(({ self }) => self)?.id ?? "";
			return hosts.length >= SEATS.length && SEATS.every((name) => hosts.some((host) => host.name === name && host.state === "online"));
		});
	}
}

export interface SeenHost {
	id: string;
	name: string;
	self: boolean;
	state: string;
}

export async function hostsOf({ server }: Pick<Seat, "server">): Promise<SeenHost[]> {
	const { hosts }: { hosts: SeenHost[] } = await (await server.api("/api/hosts")).json();
	return hosts;
}

/** How long it took; throws when it never came. What it rejects with counts as not yet. */
export async function until(what: string, limitMs: number, holds: () => boolean | Promise<boolean>): Promise<number> {
	const began = Date.now();
	let last = "";
	while (Date.now() - began < limitMs) {
		try {
			if (await holds()) return Date.now() - began;
		} catch (error) {
			last = ` (${error instanceof Error ? error.message : String(error)})`;
		}
		await wait(50);
	}
	throw new Error(`There was no ${what} within ${limitMs / 1_000} s${last}.`);
}
