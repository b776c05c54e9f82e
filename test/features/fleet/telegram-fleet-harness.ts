import { createTelegramChannel, type TelegramChannel } from "../../../packages/server/src/channels/telegram/create-telegram-channel.ts";
import { createLeasedTelegram } from "../../../packages/server/src/channels/telegram/fleet/leased-telegram.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { createMemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import type { SqlDatabase } from "../../../packages/server/src/core/ports/sql.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { agentsOf } from "../../support/agents.ts";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import type { PersonChat } from "../../support/bot-api/people.ts";
import { type FakeClock, mortal } from "../../support/fake-clock.ts";
import { createFleetBed, type FleetHostBed } from "../../support/fleet-bed.ts";
import { createLocalFolders } from "../../support/local-folders.ts";
import type { ScriptedTurn } from "../../support/scripted-runtime.ts";
import { type LogLine, recordingLogger, watchTraffic } from "../telegram/telegram-bed-parts.ts";

export const ANN = { id: 1001, name: "Ann", username: "ann" };

const OUT = { kind: "refused" as const, url: "", because: new AppError("fleet-refused", "Removed.", { params: { reason: "removed" } }) };

/** A host of the fleet that has the bot's token. */
export interface BotHost extends FleetHostBed {
	channel: TelegramChannel;
	sql: SqlDatabase;
	log: LogLine[];
	isHolder(): boolean;
	/** The fleet says that it is out. */
	remove(): void;
	/** It dies: its network and its clock stand still for ever. */
	die(): void;
	/** The next turn that its agent begins. */
	nextTurn(): Promise<ScriptedTurn>;
}

export interface TelegramFleet {
	api: BotApiEmulator;
	clock: FakeClock;
	hosts: readonly [BotHost, BotHost];
	ann: PersonChat;
	/** What the bot's messages in Ann's chat say. */
	said(): string[];
	until<T>(find: () => T | undefined | false, what: string): Promise<T>;
	/** Moves time, everything settling in between. */
	advance(ms: number): Promise<void>;
	close(): Promise<void>;
}

/** Two hosts on one bus with one bot, whose Telegram is an emulator, on a clock that stands still. */
export async function createTelegramFleet(config: { allowedUsers?: number[] } = {}): Promise<TelegramFleet> {
	const bed = await createFleetBed(2);
	const { clock } = bed;
	const api = await createBotApiEmulator({ clock, rateLimits: false });
	const traffic = watchTraffic(api);
	const settle = async () => {
		for (let quiet = 0; quiet < 4; ) {
			await clock.settle();
			await new Promise((resolve) => setImmediate(resolve));
			if (!traffic.isQuiet()) await new Promise((resolve) => setTimeout(resolve, 1));
			quiet = traffic.isQuiet() ? quiet + 1 : 0;
		}
	};
	const advance = async (ms: number) => {
		for (let left = ms; left > 0; left -= 250) {
			await clock.advance(Math.min(250, left));
			await settle();
		}
	};
	const until = async <T>(find: () => T | undefined | false, what: string): Promise<T> => {
		for (let step = 0; step < 400; step++) {
			const found = find();
			if (found !== undefined && found !== false) return found;
			await advance(100);
		}
		const logs = hosts.flatMap(({ log }) => log.slice(-5));
		throw new Error(
			`Waited in vain for ${what}. Said: ${JSON.stringify(api.world.messages.map((m) => [m.from, m.text.slice(0, 80)]))} Log: ${JSON.stringify(logs)}`,
		);
	};

	function createBotHost(host: FleetHostBed): BotHost {
		const { everywhere, core } = host;
		const log: LogLine[] = [];
		const logger = recordingLogger(log);
		const life = mortal(clock);
		const opened = openStore({ path: ":memory:", clock, logger, ids: randomIds });
		const shared = { clock: life.clock, logger, ids: randomIds };
		const token = api.token;
		let isOut = false;
		const allowedUsers = config.allowedUsers ?? [ANN.id];
		const channel = createLeasedTelegram({
			...{
				fleet: { ...host.fleet, status: () => (isOut ? OUT : host.fleet.status()) },
				sql: opened.sql,
				...shared,
				language: "auto",
				isPairing: allowedUsers.length === 0,
			},
			botId: Number.parseInt(token, 10),
			create(lease) {
				const { conversations, jobs } = lease === undefined ? everywhere : everywhere.under(() => lease.fence);
				return createTelegramChannel({
					...{
						...shared,
						conversations,
						jobs,
						recent: everywhere.recent,
						wholeText: everywhere.wholeText,
						lease,
						shell: core.shell,
						sql: opened.sql,
					},
					hosts: { list: everywhere.hosts, onChange: everywhere.onHosts },
					schedules: { list: () => [], run: none, update: none, decide: none },
					agents: agentsOf({ copilot: core.runtime }),
					remembered: { list: () => [], revoke: () => false },
					folders: createLocalFolders(clock),
					folderTrust: { setup: none, set: none },
					memory: createMemoryLedger(),
					attachments: { save: none, keep: none },
					config: { token, allowedUsers, apiRoot: api.url, home: "/nowhere", workdir: "/somewhere" },
				});
			},
		});
		return {
			...host,
			...{ channel, sql: opened.sql, log },
			isHolder: () => channel.status().state === "ok",
			remove() {
				isOut = true;
			},
			die() {
				host.setOffline(true);
				life.die();
				dead.add(host.id);
				api.updates.leave();
			},
			async nextTurn() {
				let turn: ScriptedTurn | undefined;
				void core.runtime.nextTurn().then((next) => {
					turn = next;
				});
				return until(() => turn, "a turn");
			},
		};
	}
	const none = () => {
		throw new Error("The test has no such thing.");
	};
	const dead = new Set<string>();
	const [first, second] = bed.hosts.map(createBotHost);
	if (first === undefined || second === undefined) throw new Error("There are not two hosts.");
	const hosts = [first, second] as const;
	const ann = api.private(ANN);
	await first.channel.start();
	await until(first.isHolder, "the first holder");
	await second.channel.start();
	return {
		...{ api, clock, hosts, ann, until, advance },
		said: () => api.fromBot(ANN.id).map(({ text }) => text),
		async close() {
			const closing = Promise.all(hosts.flatMap(({ id, channel }) => (dead.has(id) ? [] : [channel.close()])));
			for (let step = 0; step < 20; step++) await advance(500);
			await closing;
			traffic.stop();
			await bed.close();
			await api.close();
		},
	};
}
