import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SharedTable } from "../../../core/ports/fleet.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { textColumn } from "../../../core/ports/sql-row.ts";
import { readBot, readChat } from "./read-entries.ts";
import { type BotEntry, botEntrySchema, type ChatEntry, chatEntrySchema, fenceIn } from "./shared-entries.ts";
import { forgetUpdates, takeEntries } from "./take-entries.ts";
import { BOT, createTouchedChats } from "./touched-chats.ts";

/** A write that another one came before is tried again, with what that one left. */
const MAX_ATTEMPTS = 5;

/** What the holder of the bot leaves for the next one, while it is the holder. */
export interface SharedBot {
	/** Takes up what the last holder left and shuts it out; rejects when that cannot be done now. */
	claim(): Promise<void>;
	/** What is on disk about this chat is where the next holder finds it; false when that could not be done. */
	flushChat(chatId: number): Promise<boolean>;
	/** The same for everything. */
	flush(): Promise<boolean>;
	/** A later holder has written. */
	isOvertaken(): boolean;
}

export interface SharedBotDeps {
	table: SharedTable;
	botId: number;
	/** This host. */
	self: string;
	/** Of this time as the holder. */
	fence: number;
	sql: SqlDatabase;
	clock: Pick<Clock, "now">;
	logger: Logger;
	/** Said in a chat in place of messages that are too much to be carried. */
	leftBehind: (chatId: number) => string;
}

export function createSharedBot(deps: SharedBotDeps): SharedBot {
	const { botId, self, fence, sql, logger } = deps;
	const touched = createTouchedChats(sql);
	const entries = createEntries(deps);
	const writing = new Map<number, Promise<boolean>>();

	async function write(chatId: number): Promise<boolean> {
		if (!touched.take(chatId) && entries.isKnown(chatId)) return true;
		let isWritten = false;
		try {
			const leftBehind = chatId === BOT ? "" : deps.leftBehind(chatId);
			isWritten = await entries.put(
				chatId,
				chatId === BOT ? readBot(sql, botId, { self, fence }) : readChat(sql, chatId, { self, fence, leftBehind }),
			);
		} catch (error) {
			logger.warn({ err: error, chatId }, "What Telegram needs on another host could not be written");
		}
		if (!isWritten) touched.add(chatId);
		return isWritten;
	}

	/** One write of an entry at a time, each with the newest there is. */
	function flushChat(chatId: number): Promise<boolean> {
		const next = (writing.get(chatId) ?? Promise.resolve(true)).then(() => write(chatId));
		writing.set(chatId, next);
		void next.then(() => writing.get(chatId) === next && writing.delete(chatId));
		return next;
	}

	async function flush(): Promise<boolean> {
		// The bot's own entry is last: it names chats, and updates that are handled.
		for (const chatId of touched.list()) if (!(await flushChat(chatId))) return false;
		return true;
	}

	/** What the last holder left, chat by chat. */
	async function claimAll(bot: BotEntry): Promise<void> {
		const chats = new Map<number, ChatEntry>();
		for (const chatId of bot.chats) {
			const entry = await entries.claim(chatId);
			if (entry !== undefined) chats.set(chatId, entry);
		}
		takeEntries(sql, { botId, self, now: deps.clock.now() }, bot, chats);
		logger.info({ from: bot.host, chats: chats.size }, "Telegram is taken over from another host");
	}

	return {
		async claim() {
			const bot = botEntrySchema.safeParse(await entries.look(BOT));
			if (entries.isOvertaken()) throw overtaken();
			if (!bot.success) goOnAlone(deps);
			else if (bot.data.host !== self) await claimAll(bot.data);
			sql.prepare("INSERT OR REPLACE INTO telegram_state (key, value) VALUES (?, ?)").run(`fleet-fence:${botId}`, String(fence));
			await sql.durable();
			touched.addAll();
			if (!(await flush())) throw overtaken();
		},
		flushChat,
		flush,
		isOvertaken: entries.isOvertaken,
	};
}

/** The entries of one holder, by compare-and-set: each is its own, or of one before it. */
function createEntries({ table, botId, fence }: Pick<SharedBotDeps, "table" | "botId" | "fence">) {
	const revisions = new Map<number, number | undefined>();
	let isOvertaken = false;
	const keyOf = (chatId: number) => (chatId === BOT ? `${botId}.bot` : `${botId}.chat.${chatId}`);

	async function look(chatId: number): Promise<unknown> {
		const found = await table.get(keyOf(chatId));
		revisions.set(chatId, found?.revision);
		if (fenceIn(found?.value) > fence) isOvertaken = true;
		return found?.value;
	}
	async function putOnce(chatId: number, value: BotEntry | ChatEntry): Promise<boolean> {
		const revision = await table.put(keyOf(chatId), value, revisions.get(chatId));
		if (revision !== undefined) revisions.set(chatId, revision);
		return revision !== undefined;
	}
	return {
		look,
		isKnown: (chatId: number) => revisions.get(chatId) !== undefined,
		isOvertaken: () => isOvertaken,
		async put(chatId: number, value: BotEntry | ChatEntry): Promise<boolean> {
			for (let attempt = 0; attempt < MAX_ATTEMPTS && !isOvertaken; attempt++) {
				if (await putOnce(chatId, value)) return true;
				await look(chatId);
			}
			return false;
		},
		/** What was left of a chat. With this holder's number on it nobody before can write it any more. */
		async claim(chatId: number): Promise<ChatEntry | undefined> {
			for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
				const parsed = chatEntrySchema.safeParse(await look(chatId));
				if (isOvertaken) throw overtaken();
				if (!parsed.success) return undefined;
				if (await putOnce(chatId, { ...parsed.data, fence })) return parsed.data;
			}
			throw overtaken();
		},
	};
}

/** Nobody left anything. Whoever had it since this host may have sent what waits here. */
function goOnAlone({ sql, botId, fence }: SharedBotDeps): void {
	const row = sql.prepare("SELECT value FROM telegram_state WHERE key = ?").get(`fleet-fence:${botId}`);
	if (row === undefined || Number(textColumn(row, "value")) === fence - 1) return;
	sql.prepare("UPDATE telegram_outbox SET state = 'dead', payload = NULL WHERE state IN ('pending', 'sending')").run();
	forgetUpdates(sql, botId);
}

const overtaken = () => new AppError("fleet-refused", "Telegram could not be taken over now.", { params: { reason: "fence" } });
