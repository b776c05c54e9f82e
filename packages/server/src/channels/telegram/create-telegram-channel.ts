import { isStorageRefusal, RETRY_MS } from "../../core/active/storage-retry.ts";
import type { RememberedPermissions } from "../../core/asks/remembered/remembered-permissions.ts";
import type { EveryConversations } from "../../core/conversations/conversations.ts";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { ConversationId, IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { MemoryLedger } from "../../core/kernel/memory-ledger.ts";
import type { AgentTool } from "../../core/ports/agent-tool.ts";
import type { Agents } from "../../core/ports/agents.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { Lifecycle } from "../../core/ports/lifecycle.ts";
import type { Jobs, Shell } from "../../core/ports/shell.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { Schedules } from "../../core/schedules/schedules.ts";
import type { FolderTrust } from "../../services/folder-setup/folder-trust.ts";
import { createBotClient } from "./api/bot-client.ts";
import type { OpenLine } from "./api/bot-line.ts";
import type { TranscriptionConfig } from "./api/transcriber.ts";
import { createBotConnection } from "./bot-connection.ts";
import { createBotRuntime } from "./bot-runtime.ts";
import { createAccess, type PairedPerson, type PairRequest } from "./chats/access.ts";
import type { BotHosts } from "./chats/host-news.ts";
import { createLinkCodes } from "./chats/link-codes.ts";
import type { BotLease } from "./fleet/bot-holder.ts";
import type { AttachmentSaver } from "./inbox/message-content.ts";
import { createSendFileTool } from "./outbox/send-file-tool.ts";
import type { StoredMessages } from "./render/whole-content.ts";
import { createStatusBoard, type TelegramStatus } from "./status-board.ts";

export interface TelegramDeps extends StoredMessages {
	conversations: EveryConversations;
	/** In a fleet: the hosts, and background processes of all of them. */
	hosts?: BotHosts | undefined;
	jobs?: Jobs | undefined;
	/** In a fleet: what the bot runs under. */
	lease?: BotLease | undefined;
	schedules: Pick<Schedules, "list" | "run" | "update" | "decide">;
	/** What people allowed for good here. */
	remembered: Pick<RememberedPermissions, "list" | "revoke">;
	/** What prompts to the agent of a conversation of this host can begin with. */
	agentCommands?: (id: ConversationId) => Promise<readonly { name: string }[]>;
	agents: Pick<Agents, "default" | "list" | "find" | "refresh">;
	shell: Shell;
	folders: Pick<Folders, "look">;
	/** What folders of this host bring, and what people say about that. */
	folderTrust: Pick<FolderTrust, "setup" | "set">;
	sql: SqlDatabase;
	/** The bound over buffers, here over copies of output and files that wait to be sent. */
	memory: MemoryLedger;
	config: {
		token: string;
		allowedUsers: number[];
		apiRoot?: string;
		home: string;
		workdir: string;
		/** Where people open the page; it may change. */
		publicUrl?: () => string | undefined;
		transcription?: TranscriptionConfig;
		/** Groups that may use the bot: none, all that an allowed person is in, or these. */
		groups?: boolean | number[];
		/** Whether strangers may ask to be let in; by default only when nobody is named. */
		pairing?: boolean;
		/** What the bot speaks; by default what each person's Telegram does. */
		language?: "auto" | "en" | "zh-Hant";
	};
	/** Whether a page shows this conversation right now. */
	presence?: { isLooking(id: ConversationId): boolean };
	attachments: AttachmentSaver;
	/** Takes secrets out of what leaves. */
	redact?: (text: string) => string;
	/** How Telegram is reached; over HTTP unless told. */
	openLine?: OpenLine;
	clock: Clock;
	logger: Logger;
	ids: IdSource;
}

/** The bot: polling, chats, answers. */
export interface TelegramChannel extends Lifecycle {
	/** Shows every known chat its conversation and begins to poll, on a disk that refuses writes as soon as it takes them. Trouble with Telegram is status, also that another program polls with this token. */
	start(): Promise<void>;
	/** Stops polling; what running turns still say goes out. */
	drain(): Promise<void>;
	/** Drains, lets what waits go out for a moment, and lets every chat go. */
	close(): Promise<void>;
	status(): TelegramStatus;
	onStatus(listener: (status: TelegramStatus) => void): () => void;
	readonly pairing: {
		/** Whether strangers may ask to be let in. */
		isOn(): boolean;
		pending(): PairRequest[];
		/** Lets the person with this code in; undefined when the code is unknown or too old. */
		confirm(code: string): PairedPerson | undefined;
		/** From this moment on the person can do and read nothing. */
		revoke(userId: number): boolean;
		people(): PairedPerson[];
	};
	/** A chat that can be reached shows this conversation, and rings when something in it waits. */
	rings(id: ConversationId): boolean;
	/** A code that continues this conversation in the chat that sends `/link CODE`. */
	linkCode(conversationId: ConversationId): string;
	/** `send_file`, for the agent. */
	tools(conversationId: ConversationId): AgentTool[];
}

const CLOSE_FLUSH_MS = 2_000;

/** Telegram as one more reader and writer of the same conversations. */
export function createTelegramChannel(deps: TelegramDeps): TelegramChannel {
	const { config, clock, sql } = deps;
	const botId = Number.parseInt(config.token, 10) || 0;
	const isPairingOn = config.pairing ?? config.allowedUsers.length === 0;
	const redact = deps.redact ?? ((text: string) => text);
	const access = createAccess({ ...deps, allowedUsers: config.allowedUsers, groups: config.groups ?? false, pairing: isPairingOn });
	const links = createLinkCodes(clock, deps.ids);
	const status = createStatusBoard(() => access.pending().length);
	const client = createBotClient({
		token: config.token,
		apiRoot: config.apiRoot,
		onUnauthorized: refused,
		durable: sql.durable,
		mayCall: deps.lease?.mayCall,
		mayRead: access.mayRead,
		openLine: deps.openLine,
	});
	const bot = createBotRuntime({
		...{ ...deps, client, links, access, redact },
		bot: () => ({ id: botId, username: status.current().botUsername ?? "" }),
		onPairRequest: status.refresh,
	});
	const connection = createBotConnection({
		...{ client, sql, clock, logger: deps.logger, botId, status, refused },
		language: config.language ?? "auto",
		updates: bot,
		confirm: deps.lease?.confirm,
	});

	let cancelBegin: Cancel = () => undefined;

	function refused(): void {
		status.set({
			state: "token-refused",
			problem: "token-refused",
			message: "Telegram refused the bot token. Get a new one from @BotFather, set TELEGRAM_BOT_TOKEN and start again.",
		});
		deps.logger.error({}, "Telegram refused the bot token; nothing more is sent or fetched");
		bot.stopSending();
	}

	/** On a disk that refuses writes it is tried again: nothing is sent or fetched until what is left of the last process is known. */
	function begin(): void {
		try {
			bot.start();
		} catch (error) {
			if (!isStorageRefusal(error)) throw error;
			if (status.current().problem !== "disk")
				deps.logger.warn({ err: error }, "The disk refuses writes; Telegram starts when it accepts them");
			status.set({
				state: "degraded",
				problem: "disk",
				message: "The disk refuses writes now. Telegram starts when it accepts them again.",
			});
			cancelBegin = clock.after(RETRY_MS, beginAgain);
			return;
		}
		// Not awaited: a network that swallows everything must not keep the rest of the server from starting.
		void connection.open();
	}

	function beginAgain(): void {
		try {
			begin();
		} catch (error) {
			deps.logger.error({ err: error }, "Telegram could not be started");
			status.set({ state: "degraded", message: "Telegram could not be started; the log of the server says why. Start it again." });
		}
	}

	async function drain(): Promise<void> {
		cancelBegin();
		await connection.close();
	}

	return {
		start: async () => begin(),
		drain,
		async close() {
			await drain();
			await bot.close(status.current().state === "ok" ? CLOSE_FLUSH_MS : 0);
			client.close();
			status.set({ state: "stopped" });
		},
		status: status.current,
		onStatus: status.onChange,
		pairing: {
			isOn: () => isPairingOn,
			pending: access.pending,
			confirm(code) {
				const person = access.confirm(code);
				if (person !== undefined) bot.welcome(person.userId, person.name);
				status.refresh();
				return person;
			},
			revoke: (userId) =>
				sql.transaction(() => {
					const isRemoved = access.revoke(userId);
					if (isRemoved) bot.shutOut();
					return isRemoved;
				}),
			people: access.people,
		},
		rings: (id) => status.current().state === "ok" && bot.threadsOf(id).some(({ chatId }) => !bot.outbox.isMuted(chatId)),
		linkCode: links.make,
		tools: (id) => [
			createSendFileTool({
				outbox: bot.outbox,
				threads: () => bot.threadsOf(id),
				where: () => {
					const root = deps.conversations.get(id).cwd;
					return { root, cwd: deps.shell.cwd(id, root) };
				},
				home: config.home,
				folders: deps.folders,
				redact,
			}),
		],
	};
}
