import type { Update } from "grammy/types";
import { type ConversationId, conversationId as toConversationId } from "../../core/kernel/ids.ts";
import type { BotClient } from "./api/bot-client.ts";
import type { BotContext, SayOptions } from "./bot-context.ts";
import { type Access, MAX_PAIR_REQUESTS } from "./chats/access.ts";
import { createChatBindings } from "./chats/chat-bindings.ts";
import { createChatSessions } from "./chats/chat-sessions.ts";
import type { ChatThread } from "./chats/chat-thread.ts";
import type { LinkCodes } from "./chats/link-codes.ts";
import { createPerChatQueue } from "./chats/per-chat-queue.ts";
import { createSentPrompts } from "./chats/sent-prompts.ts";
import { createButtons } from "./commands/buttons.ts";
import type { TelegramDeps } from "./create-telegram-channel.ts";
import { type FormattedText, plainText } from "./format/formatted-text.ts";
import { createMarkdownRenderer } from "./format/markdown-to-entities.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createMessageBatcher } from "./inbox/message-batcher.ts";
import { createRouter } from "./inbox/router.ts";
import { createLanguages } from "./messages/languages.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import type { OutboxRow } from "./outbox/outbox-store.ts";
import { createChatView } from "./render/chat-view.ts";

/** Everything between the poll loop and the conversations. */
export interface BotRuntime {
	/** Follows every known conversation and sends what an earlier process left behind. */
	start(): void;
	/** Handles what an earlier process took and did not finish; the bot's name must be known by now. */
	takeUp(): void;
	/** Commits updates and acts on the new ones; says how many there were. */
	accept(updates: Update[], waitedMs: number): number;
	offset(): number;
	welcome(userId: number, name: string): void;
	/** Chats that show this conversation and may read. */
	threadsOf(id: ConversationId): ChatThread[];
	/** Lets every chat go that may not read any more, with all that waits for it. */
	shutOut(): void;
	redact(text: string): string;
	stopSending(): void;
	readonly outbox: Outbox;
	close(flushMs: number): Promise<void>;
}

export function createBotRuntime(
	deps: TelegramDeps & {
		client: BotClient;
		links: LinkCodes;
		access: Access;
		botId: number;
		username: () => string;
		onStranger: () => void;
	},
): BotRuntime {
	const { sql, clock, logger, conversations, client, access } = deps;
	const redact = deps.redact ?? ((text: string) => text);
	const markdown = createMarkdownRenderer();
	const inbox = createInbox({ sql, clock, botId: deps.botId });
	const buttons = createButtons(deps);
	const prompts = createSentPrompts(sql, clock);
	const sessions = createChatSessions({ sql, clock, describe: (id) => conversations.find(id) });
	const queues = createPerChatQueue();
	const languages = createLanguages(sql, deps.config.language ?? "auto");
	/** Languages of strangers who got a code, for when they are let in. */
	const greeted = new Map<number, string | undefined>();
	const outbox = createOutbox({ client, sql, clock, logger, mayRead: access.mayRead, onUnknown: inDoubt, onMigrated: migrated });
	const batcher = createMessageBatcher(clock, (messages) => router.take(messages));
	const bindings = createChatBindings({
		conversations,
		sessions,
		logger,
		mayRead: access.mayRead,
		open: (thread, conversationId) =>
			createChatView({
				thread,
				conversationId,
				conversations,
				outbox: { ...outbox, send: (to, outgoing, options) => outbox.send(to, outgoing, { ...options, conversationId }) },
				buttons,
				prompts,
				sessions,
				sql,
				clock,
				logger,
				redact,
				words: () => languages.words(thread.chatId),
				render: (source) => markdown(source),
				isLooking: () => deps.presence?.isLooking(conversationId) ?? false,
				typing: () => client.typing(thread),
			}),
		onDeleted: (thread) => say(thread, languages.words(thread.chatId).deletedOnPage),
	});

	const offChange = conversations.onChange((change) => {
		if (change.kind === "deleted") forgetConversation(change.id);
	});

	// Until the first poll was answered: since whenever.
	let waitedMs = Number.POSITIVE_INFINITY;
	const context: BotContext = {
		...deps,
		inbox,
		outbox,
		buttons,
		bindings,
		prompts,
		batcher,
		bot: {
			id: deps.botId,
			get username() {
				return deps.username();
			},
		},
		publicUrl: deps.config.publicUrl,
		transcription: deps.config.transcription,
		words: ({ chatId }) => languages.words(chatId),
		wordsFor: languages.wordsFor,
		mayAct: access.mayAct,
		waitedMs: () => waitedMs,
		say,
		inOrder,
	};
	const router = createRouter(context);

	function say(thread: ChatThread, text: string | FormattedText, options: SayOptions = {}): void {
		const content = typeof text === "string" ? plainText(redact(text)) : text;
		outbox.send(thread, { kind: "text", text: content.text.slice(0, 4096).toWellFormed(), entities: content.entities, ...options });
	}

	function inOrder(thread: ChatThread, work: () => Promise<void>, refused: () => void): void {
		if (queues.run(thread, work)) return;
		say(thread, `⚠️ ${languages.words(thread.chatId).tooMuchAtOnce}`);
		refused();
	}

	/** Telegram did not confirm a message: it may be there, so it is not sent again unless a person wants it. */
	function inDoubt(row: OutboxRow): void {
		logger.warn({ chatId: row.thread.chatId, rowId: row.id }, "Telegram did not confirm a message; it is not sent again");
		const { inDoubt: text, sendAgain } = languages.words(row.thread.chatId);
		const button = buttons.make(row.thread.chatId, sendAgain, { kind: "resend", rowId: row.id });
		const notice = { kind: "text" as const, text, entities: [], keyboard: [[button]], silent: true };
		if (row.outgoing.kind !== "text" || row.outgoing.text !== text) outbox.send(row.thread, notice, { key: `in-doubt:${row.id}` });
	}

	function migrated(from: number, to: number): void {
		if (!access.mayRead(from)) return;
		sql.transaction(() => {
			access.moved(from, to);
			outbox.moveChat(from, to);
			buttons.moveChat(from, to);
			bindings.moveChat(from, to);
		});
	}

	function shutOut(): void {
		sql.transaction(() => {
			bindings.shutOut();
			outbox.shutOut();
		});
	}

	function forgetConversation(id: string): void {
		sql.transaction(() => {
			for (const kept of [outbox, prompts, buttons]) kept.forgetConversation(id);
		});
	}

	/** A conversation may have been deleted while Telegram was off. */
	function forgetDeleted(): void {
		const ids = new Set([outbox, prompts, buttons].flatMap((kept) => kept.conversationIds()));
		for (const id of ids) if (conversations.find(toConversationId(id)) === undefined) forgetConversation(id);
	}

	/** What Telegram itself says, whoever is named as its sender. */
	function takeMigration({ message }: Update): boolean {
		if (message?.migrate_to_chat_id !== undefined) migrated(message.chat.id, message.migrate_to_chat_id);
		else if (message?.migrate_from_chat_id !== undefined) migrated(message.migrate_from_chat_id, message.chat.id);
		else return false;
		return true;
	}

	function greet(update: Update): void {
		const verdict = access.check(update);
		if (verdict.verdict !== "stranger" || update.message === undefined) return;
		const code = access.request(verdict.user);
		if (code === undefined) return;
		deps.onStranger();
		say({ chatId: verdict.chatId }, languages.wordsFor(verdict.user.language_code).greeting(code), { toAnyone: true });
		greeted.set(verdict.user.id, verdict.user.language_code);
		const [oldest] = greeted.keys();
		if (greeted.size > MAX_PAIR_REQUESTS && oldest !== undefined) greeted.delete(oldest);
	}

	function handle(update: Update): void {
		try {
			const verdict = access.check(update);
			if (takeMigration(update)) inbox.done(update.update_id);
			else if (verdict.verdict === "allowed") {
				const chat = (update.message ?? update.edited_message ?? update.callback_query?.message)?.chat;
				if (chat !== undefined) languages.note(chat.id, verdict.user.language_code);
				router.handle(update);
			} else {
				inbox.done(update.update_id);
				greet(update);
			}
		} catch (error) {
			// One bad update must not stop those behind it.
			inbox.done(update.update_id);
			logger.error({ err: error, updateId: update.update_id }, "A Telegram update could not be handled");
		}
	}

	return {
		start() {
			forgetDeleted();
			outbox.shutOut();
			outbox.start();
			bindings.restore();
		},
		takeUp() {
			for (const update of inbox.pending()) handle(update);
		},
		accept(updates, newestWaitedMs) {
			waitedMs = newestWaitedMs;
			const fresh = inbox.accept(updates, (update) => isMigration(update) || access.check(update).verdict === "allowed");
			for (const update of fresh) handle(update);
			return fresh.length;
		},
		offset: inbox.offset,
		welcome(userId, name) {
			languages.note(userId, greeted.get(userId));
			say({ chatId: userId }, languages.words(userId).welcome(name));
		},
		threadsOf: (id) => sessions.threadsOf(id).filter((thread) => access.mayRead(thread.chatId)),
		shutOut,
		redact,
		stopSending: () => outbox.close(),
		outbox,
		async close(flushMs) {
			offChange();
			batcher.close();
			router.close();
			bindings.close();
			if (flushMs > 0) await outbox.flush(flushMs);
			outbox.close();
		},
	};
}

const isMigration = ({ message }: Update) => message?.migrate_to_chat_id !== undefined || message?.migrate_from_chat_id !== undefined;
