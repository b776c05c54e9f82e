import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import type { ConversationId, IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { AgentRuntime } from "../../core/ports/agent-runtime.ts";
import type { AgentTool } from "../../core/ports/agent-tool.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { createBotClient } from "./api/bot-client.ts";
import type { TranscriptionConfig } from "./api/transcriber.ts";
import type { AttachmentSaver } from "./bot-context.ts";
import { createBotRuntime } from "./bot-runtime.ts";
import { createAccess, type PairedPerson, type PairRequest } from "./chats/access.ts";
import { createLinkCodes } from "./chats/link-codes.ts";
import { commandsIn, updateMenu } from "./commands/command-menu.ts";
import { createPollLoop, type PollLoop } from "./inbox/poll-loop.ts";
import type { PollProblem } from "./inbox/poll-state.ts";
import { MESSAGES } from "./messages/messages.ts";
import { createSendFileTool } from "./outbox/send-file-tool.ts";

export interface TelegramDeps {
	conversations: Conversations;
	runtime: Pick<AgentRuntime, "listModels" | "health">;
	shell: Shell;
	folders: Pick<Folders, "look">;
	sql: SqlDatabase;
	config: {
		token: string;
		allowedUsers: number[];
		apiRoot?: string;
		home: string;
		workdir: string;
		publicUrl?: string;
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
	clock: Clock;
	logger: Logger;
	ids: IdSource;
}

export interface TelegramStatus {
	state: "starting" | "ok" | "degraded" | "token-refused" | "stopped";
	botUsername?: string;
	/** For a person: what is wrong and what to do; `problem` is the same for whoever says it in another language. */
	message?: string;
	problem?: PollProblem | "token-refused";
	/** People who wait to be let in, if any. */
	waiting?: number;
}

export interface TelegramChannel {
	/** Shows every known chat its conversation and begins to poll. Trouble with Telegram is status, also that another program polls with this token. */
	start(): Promise<void>;
	status(): TelegramStatus;
	onStatus(listener: (status: TelegramStatus) => void): () => void;
	readonly pairing: {
		/** Whether strangers may ask to be let in. */
		isOn(): boolean;
		pending(): PairRequest[];
		/** Lets the person with this code in; undefined when the code is unknown or too old. */
		confirm(code: string): PairedPerson | undefined;
		/** The person can do and read nothing any more, from this moment on. */
		revoke(userId: number): boolean;
		people(): PairedPerson[];
	};
	/** A code that continues this conversation in the chat that sends `/link CODE`. */
	linkCode(conversationId: ConversationId): string;
	/** `send_file`, for the agent. */
	tools(conversationId: ConversationId): AgentTool[];
	/** Stops polling at once, lets what waits go out for a moment, and lets every chat go. */
	close(): Promise<void>;
}

const RETRY_START_MS = 5_000;
const CLOSE_FLUSH_MS = 2_000;

/** Telegram as one more reader and writer of the same conversations. */
export function createTelegramChannel(deps: TelegramDeps): TelegramChannel {
	const { config, clock, logger, sql } = deps;
	const botId = Number.parseInt(config.token, 10) || 0;
	const listeners = new Set<(status: TelegramStatus) => void>();
	const pairing = config.pairing ?? config.allowedUsers.length === 0;
	const access = createAccess({ ...deps, allowedUsers: config.allowedUsers, groups: config.groups ?? false, pairing });
	const links = createLinkCodes(clock, deps.ids);
	const client = createBotClient({
		token: config.token,
		...(config.apiRoot !== undefined && { apiRoot: config.apiRoot }),
		onUnauthorized: refused,
		durable: sql.durable,
	});
	let status: TelegramStatus = { state: "starting" };
	let username: string | undefined;
	let loop: PollLoop | undefined;
	let closed = false;
	let cancelRetry: () => void = () => undefined;

	const bot = createBotRuntime({
		...deps,
		client,
		links,
		access,
		botId,
		username: () => username ?? "",
		onStranger: () => setStatus(status),
	});

	function setStatus({ waiting: _, ...next }: TelegramStatus): void {
		// A poll that was open when the token was refused may still end well; that changes nothing.
		if (status.state === "token-refused" && next.state !== "stopped" && next.state !== "token-refused") return;
		const waiting = access.pending().length;
		const known = { ...next, ...(username !== undefined && { botUsername: username }), ...(waiting > 0 && { waiting }) };
		if (JSON.stringify(known) === JSON.stringify(status)) return;
		status = known;
		for (const listener of [...listeners]) listener(known);
	}

	function refused(): void {
		setStatus({
			state: "token-refused",
			problem: "token-refused",
			message: "Telegram refused the bot token. Get a new one from @BotFather, set TELEGRAM_BOT_TOKEN and start again.",
		});
		logger.error({}, "Telegram refused the bot token; nothing more is sent or fetched");
		bot.stopSending();
	}

	/** Learns who we are, as often as it takes; then polls. */
	async function connect(): Promise<void> {
		const me = await client.getMe();
		if (closed) return;
		if (me.kind === "refused" && (me.code === 401 || me.code === 404)) {
			if (me.code === 404) refused();
			return;
		}
		if (me.kind !== "ok") {
			setStatus({
				state: "degraded",
				problem: "unreachable",
				message: `Telegram cannot be reached (${me.kind === "refused" ? me.description : me.message}). Trying again.`,
			});
			cancelRetry = clock.after(RETRY_START_MS, () => void connect());
			return;
		}
		username = me.result.username;
		setStatus({ state: "ok" });
		bot.takeUp();
		loop = createPollLoop({
			client,
			offset: bot.offset,
			accept: bot.accept,
			onHealth: (health) => setStatus(health),
			clock,
			logger,
		});
		loop.start();
		const language = config.language ?? "auto";
		await updateMenu({ client, sql, logger, botId, commands: commandsIn(MESSAGES[language === "auto" ? "en" : language]) });
		const chinese = commandsIn(MESSAGES[language === "auto" ? "zh-Hant" : language]);
		await updateMenu({ client, sql, logger, botId, commands: chinese, languageCode: "zh" });
	}

	return {
		async start() {
			bot.start();
			// Not awaited: a network that swallows everything must not keep the rest of the server from starting.
			void connect();
		},
		status: () => status,
		onStatus(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		pairing: {
			isOn: () => pairing,
			pending: access.pending,
			confirm(code) {
				const person = access.confirm(code);
				if (person !== undefined) bot.welcome(person.userId, person.name);
				setStatus(status);
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
		linkCode: (id) => links.make(id),
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
				redact: bot.redact,
			}),
		],
		async close() {
			closed = true;
			cancelRetry();
			await loop?.stop();
			await bot.close(status.state === "ok" ? CLOSE_FLUSH_MS : 0);
			client.close();
			setStatus({ state: "stopped" });
		},
	};
}
