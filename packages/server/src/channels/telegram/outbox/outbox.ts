import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { BotClient, CallResult, MessageContent, OutgoingFile } from "../api/bot-client.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import { type ChatQueues, createChatQueues } from "./chat-queues.ts";
import { createLiveMessage, editKey, isSettled, type LiveMessage, type LiveOptions } from "./live-message.ts";
import { createLiveStore, type LiveStore } from "./live-store.ts";
import { createOutboxStore, type OutboxRow, type Outgoing } from "./outbox-store.ts";
import { GIVEN_UP } from "./send-queue.ts";
import { createStoredSends, type OnSettled } from "./stored-sends.ts";
import { uploadFile } from "./upload-file.ts";

export interface SendRequest {
	key?: string;
	/** The conversation that it tells about; it goes with it. */
	conversationId?: string;
	onSettled?: OnSettled;
}

/** Everything the bot writes goes through here: in order per chat, at Telegram's pace, at most once, and never to a chat that may not read. */
export interface Outbox {
	/** A message that must arrive. On disk when this returns (joins the caller's transaction); the same key is sent once only. */
	send(thread: ChatThread, outgoing: Outgoing, options?: SendRequest): void;
	/** A message that changes while something runs; lost with the process, and tidied up after it. */
	live(thread: ChatThread, options: LiveOptions): LiveMessage;
	/** Changes a message that is known by its id. */
	edit(thread: ChatThread, messageId: number, content: MessageContent): void;
	/** Sends a file now and tells how it went; a wait that Telegram orders ends with the signal. */
	upload(
		thread: ChatThread,
		file: OutgoingFile,
		options: { kind: "photo" | "document"; signal: AbortSignal },
	): Promise<CallResult<unknown>>;
	/** Sends a message in doubt once more, because a person asked for it. */
	resend(rowId: number): boolean;
	/** The person wrote again after having blocked the bot. */
	unmute(chatId: number): void;
	/** The person blocked the bot, or may not read: nothing arrives there. */
	isMuted(chatId: number): boolean;
	moveChat(from: number, to: number): void;
	/** Drops everything that waits for chats that may no longer read. */
	shutOut(): void;
	conversationIds(): string[];
	forgetConversation(id: string): void;
	/** Takes up what an earlier process left behind, once; one that throws has done nothing. */
	start(): void;
	/** Waits until everything is out, at most this long. */
	flush(graceMs: number): Promise<void>;
	close(): void;
}

const NO_MEMORY: CallResult<never> = {
	kind: "refused",
	code: 0,
	description: "the server has no memory for this file now; try again when other work has ended",
};

export function createOutbox(deps: {
	client: BotClient;
	sql: SqlDatabase;
	clock: Clock;
	logger: Logger;
	/** Asked before every call that shows something. */
	mayRead: (chatId: number) => boolean;
	/** A message may or may not have arrived; called in the transaction that notes it. */
	onUnknown: (row: OutboxRow) => void;
	onShown: Parameters<typeof createStoredSends>[0]["onShown"];
	onMigrated: (from: number, to: number) => void;
	intend?: Parameters<typeof createStoredSends>[0]["intend"];
	/** Counts files that wait to be sent. */
	account: Pick<MemoryAccount, "add" | "reserve">;
}): Outbox {
	const { client, sql, clock, logger, mayRead } = deps;
	const store = createOutboxStore(sql, clock);
	const liveStore = createLiveStore(sql);
	const muted = new Set<number>();
	const queues = createChatQueues({ clock, isKept: mayRead });
	const sends = createStoredSends({ ...deps, store, queues, muted });
	let liveMessages = 0;
	let uploads = 0;
	let isStarted = false;

	function isMuted(chatId: number): boolean {
		return muted.has(chatId) || !mayRead(chatId);
	}

	return {
		send(thread, outgoing, options = {}) {
			const { chatId } = thread;
			if (outgoing.toAnyone !== true && !mayRead(chatId)) return;
			const id = store.add(thread, outgoing, options);
			if (id === undefined) return;
			const givenUp = store.trim(chatId);
			sql.afterCommit(() => {
				if (givenUp.length > 0)
					logger.warn({ chatId, givenUp: givenUp.length }, "Too many messages wait for this chat; the oldest were given up");
				for (const each of givenUp) sends.drop(each, chatId);
				// Until then it waits on the disk: under way, it would be taken for one that an earlier process left in doubt.
				if (isStarted && !givenUp.includes(id)) sends.enqueue({ id, chatId, onSettled: options.onSettled });
			});
		},
		live: (thread, options) =>
			createLiveMessage({
				client,
				thread,
				options,
				key: `live:${++liveMessages}`,
				queue: () => queues.of(thread.chatId),
				afterCommit: sql.afterCommit,
				store: {
					...liveStore,
					add(...message) {
						liveStore.add(...message);
						// In a fleet: whoever has the bot next must find it, or it stands there for ever.
						void deps.intend?.(thread.chatId);
					},
				},
				isMuted: () => isMuted(thread.chatId),
				mayRead: () => mayRead(thread.chatId),
				clock,
				logger,
			}),
		edit(thread, messageId, content) {
			const run = async () => (isMuted(thread.chatId) ? GIVEN_UP : client.editText(thread, messageId, content));
			queues.of(thread.chatId).edit(editKey(messageId), { run, settle: () => undefined }, true);
		},
		async upload(thread, file, { kind, signal }) {
			const queue = queues.of(thread.chatId);
			if (!deps.account.reserve(file.bytes.length)) return NO_MEMORY;
			try {
				return await uploadFile({ client, queue, key: `upload:${++uploads}`, thread, file, kind, mayRead, signal });
			} finally {
				deps.account.add(-file.bytes.length);
			}
		},
		resend(rowId) {
			if (!store.retry(rowId)) return false;
			const row = store.find(rowId);
			if (row !== undefined) sends.enqueue({ id: row.id, chatId: row.thread.chatId });
			return row !== undefined;
		},
		unmute: (chatId) => {
			muted.delete(chatId);
		},
		isMuted,
		moveChat(from, to) {
			store.moveChat(from, to);
			liveStore.moveChat(from, to);
		},
		shutOut() {
			for (const { id, thread, outgoing } of store.waiting("in-doubt")) {
				if (outgoing.toAnyone === true || mayRead(thread.chatId)) continue;
				store.setState(id, "dead");
				sends.drop(id, thread.chatId);
			}
		},
		conversationIds: store.conversationIds,
		forgetConversation: store.forgetConversation,
		start() {
			store.settleInterrupted(deps.onUnknown);
			isStarted = true;
			for (const leftover of liveStore.all()) tidyUp({ client, mayRead, liveStore, queues }, leftover);
			for (const row of store.waiting()) sends.enqueue({ id: row.id, chatId: row.thread.chatId });
		},
		flush: queues.flush,
		close: queues.close,
	};
}

/** A status message of an earlier process goes; a question says that it ended with the restart. Noted until it is done: this process may die as well. */
function tidyUp(
	{
		client,
		mayRead,
		liveStore,
		queues,
	}: Pick<Parameters<typeof createOutbox>[0], "client" | "mayRead"> & { liveStore: LiveStore; queues: ChatQueues },
	{ thread, messageId, leftover }: ReturnType<LiveStore["all"]>[number],
): void {
	const queue = queues.of(thread.chatId);
	const settle = (result: CallResult<unknown>) => {
		if (isSettled(result)) liveStore.forget(thread.chatId, messageId);
	};
	const remove = () => queue.remove({ run: () => client.deleteMessage(thread, messageId), settle });
	const run = () => client.editText(thread, messageId, { text: leftover ?? "", entities: [] });
	// Who is removed meanwhile may read nothing new, and the old words with their buttons would stand there until the next start.
	const ended = (result: CallResult<unknown>) => (mayRead(thread.chatId) ? settle(result) : remove());
	if (leftover === undefined || !mayRead(thread.chatId)) remove();
	else queue.edit(editKey(messageId), { run, settle: ended }, true);
}
