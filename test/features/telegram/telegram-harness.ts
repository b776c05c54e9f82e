import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	createTelegramChannel,
	type TelegramChannel,
	type TelegramDeps,
} from "../../../packages/server/src/channels/telegram/create-telegram-channel.ts";
import type { Conversations } from "../../../packages/server/src/core/conversations/conversations.ts";
import { createConversations } from "../../../packages/server/src/core/conversations/create-conversations.ts";
import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { type ConversationId, randomIds, conversationId as toConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createMemoryLedger, type MemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import { createRedactor } from "../../../packages/server/src/core/kernel/redact.ts";
import type { AgentRuntime } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import type { AgentTool } from "../../../packages/server/src/core/ports/agent-tool.ts";
import type { AuditLog } from "../../../packages/server/src/core/ports/audit.ts";
import { createSchedules } from "../../../packages/server/src/core/schedules/schedules.ts";
import { createCronerTimetable } from "../../../packages/server/src/services/timetable/croner-timetable.ts";
import { type OpenedStore, openStore } from "../../../packages/server/src/store/open-store.ts";
import { agentsOf } from "../../support/agents.ts";
import { type BotApiEmulator, createBotApiEmulator } from "../../support/bot-api/bot-api-emulator.ts";
import type { PersonChat } from "../../support/bot-api/people.ts";
import type { Chat, Message } from "../../support/bot-api/world.ts";
import { createFakeClock, type FakeClock, mortal } from "../../support/fake-clock.ts";
import { createLocalFolders } from "../../support/local-folders.ts";
import { createScriptedRuntime, type ScriptedRuntime, type ScriptedTurn } from "../../support/scripted-runtime.ts";
import { createScriptedShell, type ScriptedShell } from "../../support/scripted-shell.ts";
import { createScriptedTracker, type ScriptedTracker } from "../../support/scripted-tracker.ts";
import { storedMessages } from "../../support/stored-messages.ts";
import { type LogLine, recordingLogger, watchTraffic } from "./telegram-bed-parts.ts";

export const ANN = { id: 1001, name: "Ann", username: "ann" };
export const BOB = { id: 2002, name: "Bob", username: "bob" };

export interface TelegramBed {
	api: BotApiEmulator;
	clock: FakeClock;
	conversations: Conversations;
	runtime: ScriptedRuntime;
	shell: ScriptedShell;
	tracker: ScriptedTracker;
	channel: TelegramChannel;
	opened: OpenedStore;
	home: string;
	log: LogLine[];
	saved: { name: string; mimeType: string; bytes: Uint8Array }[];
	/** Ann's private chat. */
	ann: PersonChat;
	/** Messages of the bot in Ann's chat that still exist. */
	said(): Message[];
	/** The newest message of the bot in a chat. */
	last(chatId?: number): Message;
	/** What the buttons of the newest message in Ann's chat say. */
	labels(): string[];
	/** Ann speaks in a group that then becomes a supergroup. */
	growingGroup(): Promise<{ group: Chat; bigger: Chat; turn: ScriptedTurn }>;
	/** The conversation that Ann's chat shows. */
	conversation(): ConversationId;
	/** Sends a prompt and waits until the agent has it. */
	ask(text: string): Promise<ScriptedTurn>;
	nextTurn(): Promise<ScriptedTurn>;
	/** Waits until nothing is under way any more, without moving time. */
	settle(): Promise<void>;
	/** Settles and lets the event log commit, which waits a few milliseconds. */
	tick(): Promise<void>;
	/** Moves time in small steps, everything settling in between. */
	advance(ms: number, stepMs?: number): Promise<void>;
	/** Waits for something that the settled state does not tell, such as a download. */
	until<T>(find: () => T | undefined | false, what: string): Promise<T>;
	/** The process dies and another one takes over the database, later if told so. */
	crash(down?: { ms?: number; meanwhile?: () => void; config?: BedOptions["config"] }): Promise<TelegramBed>;
	close(): Promise<void>;
}

export interface BedOptions extends Partial<Pick<TelegramDeps, "presence" | "redact">> {
	audit?: Pick<AuditLog, "record" | "entry">;
	memory?: MemoryLedger;
	config?: Partial<TelegramDeps["config"]>;
	rateLimits?: boolean;
	permissions?: "auto" | "ask";
	/** The channel is not started. */
	idle?: boolean;
	workdir?: string;
	/** Agents beside the scripted `copilot`. */
	agents?: Readonly<Record<string, AgentRuntime>>;
}

interface Inherited {
	api: BotApiEmulator;
	clock: FakeClock;
	opened: OpenedStore;
	home: string;
}

/** The channel on the real core and a real database, against the emulator, on a clock that stands still. */
export async function createTelegramBed(options: BedOptions = {}, inherited?: Inherited): Promise<TelegramBed> {
	const clock = inherited?.clock ?? createFakeClock();
	const home = inherited?.home ?? mkdtempSync(join(tmpdir(), "rightseat-telegram-"));
	const log: LogLine[] = [];
	const logger = recordingLogger(log);
	const api = inherited?.api ?? (await createBotApiEmulator({ clock, rateLimits: options.rateLimits ?? false }));
	const opened = inherited?.opened ?? openStore({ path: ":memory:", clock, logger, ids: randomIds });
	const life = mortal(clock);
	const runtime = createScriptedRuntime();
	const agents = agentsOf({ copilot: runtime, ...options.agents });
	const shell = createScriptedShell();
	const tracker = createScriptedTracker();
	const saved: TelegramBed["saved"] = [];
	let tools: (id: ConversationId) => AgentTool[] = () => [];
	const workdir = options.workdir ?? home;
	const conversations = createConversations({
		store: opened.store,
		agents,
		shell,
		tracker,
		directories: { resolve: async (path) => existing(path) },
		clock: life.clock,
		ids: randomIds,
		logger,
		config: {
			workdir: () => workdir,
			permissions: () => options.permissions ?? "auto",
			defaultModel: () => undefined,
			askTimeoutMs: 120_000,
			maxTurns: 16,
		},
		extraTools: (id) => tools(id),
		...(options.audit === undefined ? {} : { audit: options.audit }),
	});
	const channel = createTelegramChannel({
		schedules: createSchedules({
			...{ store: opened.store, conversations, redactor: createRedactor([]), clock: life.clock, ids: randomIds, logger },
			loadTimetable: async () => createCronerTimetable(),
		}),
		agentCommands: async () => [{ name: "greet" }],
		remembered: { list: () => [], revoke: () => false },
		folders: createLocalFolders(life.clock),
		folderTrust: { setup: async (path) => ({ path, trusted: false, found: [] }), set: async () => undefined },
		conversations,
		...storedMessages(conversations),
		agents,
		shell,
		sql: opened.sql,
		memory: options.memory ?? createMemoryLedger(),
		config: { token: api.token, allowedUsers: [ANN.id], apiRoot: api.url, home, workdir, ...options.config },
		attachments: {
			async save(file) {
				saved.push(file);
				const id = randomIds.next();
				opened.store.attachments.insert({
					id,
					name: file.name,
					mimeType: file.mimeType,
					size: file.bytes.length,
					path: join(home, id),
					createdAt: clock.now(),
					conversationId: null,
				});
				return { id };
			},
			keep(id, conversationId) {
				opened.store.attachments.bind(id, conversationId);
				return { path: opened.store.attachments.find(id)?.path ?? "" };
			},
		},
		...(options.presence !== undefined && { presence: options.presence }),
		...(options.redact !== undefined && { redact: options.redact }),
		clock: life.clock,
		logger,
		ids: randomIds,
	});
	tools = channel.tools;
	const traffic = watchTraffic(api);
	const ann = api.private(ANN);

	const settle = async () => {
		for (let quiet = 0; quiet < 6; ) {
			await clock.settle();
			await (traffic.isQuiet() ? new Promise((resolve) => setImmediate(resolve)) : new Promise((resolve) => setTimeout(resolve, 1)));
			quiet = traffic.isQuiet() ? quiet + 1 : 0;
		}
	};
	const until = async <T>(find: () => T | undefined | false, what: string): Promise<T> => {
		const deadline = Date.now() + 50_000;
		for (;;) {
			await settle();
			const found = find();
			if (found !== undefined && found !== false) return found;
			if (Date.now() > deadline)
				throw new Error(
					`Waited in vain for ${what}. Said: ${JSON.stringify(api.world.messages.map((m) => [m.from, m.text.slice(0, 80)]))} Log: ${JSON.stringify(log.slice(-5))}`,
				);
			await new Promise((resolve) => setTimeout(resolve, 2));
		}
	};
	const nextTurn = async () => {
		let turn: ScriptedTurn | undefined;
		void runtime.nextTurn().then((next) => {
			turn = next;
		});
		return until(() => turn, "a turn");
	};

	if (options.idle !== true) {
		const starting = channel.start();
		await settle();
		await starting;
		await settle();
	}

	const bed: TelegramBed = {
		api,
		clock,
		conversations,
		runtime,
		shell,
		tracker,
		channel,
		opened,
		home,
		log,
		saved,
		ann,
		said: () => api.fromBot(ANN.id),
		last(chatId = ANN.id) {
			const message = api.fromBot(chatId).at(-1);
			if (message === undefined) throw new Error("The bot said nothing.");
			return message;
		},
		labels: () =>
			bed
				.last()
				.buttons.flat()
				.map((button) => button.text),
		async growingGroup() {
			const group = api.group(-500, "Team");
			api.in(ANN, group).text("@rightseat_bot hello");
			const turn = await nextTurn();
			const bigger = api.group(-1000500, "Team");
			group.migratedTo = bigger.id;
			return { group, bigger, turn };
		},
		conversation() {
			const conversation = conversations.list().conversations[0];
			if (conversation === undefined) throw new Error("There is no conversation.");
			return toConversationId(conversation.id);
		},
		async ask(text) {
			ann.text(text);
			return nextTurn();
		},
		nextTurn,
		settle,
		async tick() {
			await settle();
			await clock.advance(10);
			await settle();
		},
		async advance(ms, stepMs = 100) {
			await settle();
			for (let left = ms; left > 0; left -= stepMs) {
				await clock.advance(Math.min(stepMs, left));
				await settle();
			}
		},
		until,
		async crash(down) {
			life.die();
			traffic.stop();
			rmSync(join(home), { recursive: true, force: true });
			const again = mkdtempSync(join(tmpdir(), "rightseat-telegram-"));
			api.updates.leave();
			down?.meanwhile?.();
			await clock.advance(down?.ms ?? 0);
			const config = { ...options.config, ...down?.config };
			return createTelegramBed({ ...options, config }, { api, clock, opened, home: again });
		},
		async close() {
			const closing = channel.close();
			await settle();
			await clock.advance(5_000);
			await closing;
			const ending = conversations.close(0);
			await clock.advance(10_000);
			await ending;
			traffic.stop();
			await opened.close();
			await api.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
	return bed;
}

async function existing(path: string): Promise<string> {
	if (path.includes("missing"))
		throw new AppError("cwd-missing", `There is no directory ${path}.`, { params: { reason: "missing", path } });
	return path;
}
