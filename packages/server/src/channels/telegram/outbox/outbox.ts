import { fieldOf } from "@rightseat/protocol/model/field";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { BotClient, CallResult, MessageContent, OutgoingFile } from "../api/bot-client.ts";
import { afterSendFailure } from "../api/send-failure.ts";
import { type ChatThread, isGroup } from "../chats/chat-thread.ts";
import { createLiveMessage, type LiveMessage, type LiveOptions } from "./live-message.ts";
import { createLiveStore } from "./live-store.ts";
import { createOutboxStore, type OutboxRow, type Outgoing } from "./outbox-store.ts";
import { createSendQueue, GIVEN_UP, type SendQueue } from "./send-queue.ts";

export type Delivery = "sent" | "unknown" | "dead";

export interface SendRequest {
	key?: string;
	/** The conversation that it tells about; it goes with it. */
	conversationId?: string;
	onSettled?: (delivery: Delivery) => void;
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
	moveChat(from: number, to: number): void;
	/** Gives up everything that waits for chats that may not read any more. */
	shutOut(): void;
	conversationIds(): string[];
	forgetConversation(id: string): void;
	/** Takes up what an earlier process left behind. */
	start(): void;
	/** Waits until everything is out, at most this long. */
	flush(graceMs: number): Promise<void>;
	close(): void;
}

export function createOutbox(deps: {
	client: BotClient;
	sql: SqlDatabase;
	clock: Clock;
	logger: Logger;
	/** Asked before every call that shows something. */
	mayRead: (chatId: number) => boolean;
	/** A message may or may not have arrived; called outside of `onSettled` as well. */
	onUnknown: (row: OutboxRow) => void;
	onMigrated: (from: number, to: number) => void;
}): Outbox {
	const { client, sql, clock, logger } = deps;
	const store = createOutboxStore(sql, clock);
	const liveStore = createLiveStore(sql);
	const queues = new Map<number, SendQueue>();
	const muted = new Set<number>();
	const idleWaiters = new Set<() => void>();

	const isIdle = () => [...queues.values()].every((queue) => queue.idle());
	const isClosed = (chatId: number) => muted.has(chatId) || !deps.mayRead(chatId);
	let liveMessages = 0;
	let uploads = 0;

	function queueOf(chatId: number): SendQueue {
		const queue = queues.get(chatId) ?? createSendQueue({ clock, isGroup: isGroup({ chatId }), onIdle: () => onIdle(chatId) });
		queues.set(chatId, queue);
		return queue;
	}
	function onIdle(chatId: number): void {
		// Strangers come without end; only a chat that is written to again has a pace to remember.
		if (!deps.mayRead(chatId)) queues.delete(chatId);
		if (isIdle()) for (const waiter of [...idleWaiters]) waiter();
	}

	/** Only the id waits in memory: what it says is read from the disk when its time has come. */
	function enqueue(id: number, chatId: number, onSettled?: (delivery: Delivery) => void): void {
		let row: OutboxRow | undefined;
		let isTaken = false;
		const settle = (delivery: Delivery, messageId?: number) => {
			store.setState(id, delivery, messageId);
			onSettled?.(delivery);
			if (delivery === "unknown" && row !== undefined) deps.onUnknown(row);
		};
		queueOf(chatId).send(rowKey(id), {
			run: async () => {
				// Run again because the disk refused to note the result, it is ours already.
				if (!isTaken) row = store.take(id);
				isTaken = row !== undefined;
				if (row === undefined) return GIVEN_UP;
				if (row.outgoing.toAnyone !== true && !deps.mayRead(row.thread.chatId)) return GIVEN_UP;
				const result = muted.has(row.thread.chatId) ? MUTED : await deliver(row);
				// Telegram did not take it; a crash from here on must not leave it in doubt.
				if (result.kind === "unreachable" || (result.kind === "refused" && result.code < 500)) {
					store.setState(id, "pending");
					isTaken = false;
				}
				return result;
			},
			settle: (result) => {
				if (result.kind === "ok") settle("sent", messageIdOf(result.result));
				else if (result === GIVEN_UP) settle("dead");
				else if (result.kind === "refused" && result.code < 500 && row !== undefined) refused(row, result, settle, onSettled);
				else settle("unknown");
			},
		});
	}

	function refused(
		row: OutboxRow,
		result: Extract<CallResult<never>, { kind: "refused" }>,
		settle: (delivery: Delivery) => void,
		onSettled?: (delivery: Delivery) => void,
	): void {
		const next = afterSendFailure(row, result);
		switch (next.kind) {
			case "keep":
				return;
			case "retry":
				logger.warn({ chatId: row.thread.chatId, description: result.description }, next.why);
				store.replace(row.id, next.row.thread, next.row.outgoing);
				enqueue(row.id, next.row.thread.chatId, onSettled);
				return;
			case "migrate": {
				deps.onMigrated(row.thread.chatId, next.to);
				const moved = store.find(row.id);
				if (moved !== undefined) enqueue(moved.id, moved.thread.chatId, onSettled);
				return;
			}
			case "blocked":
				if (!muted.has(row.thread.chatId))
					logger.warn(
						{ chatId: row.thread.chatId },
						"The bot was blocked in this chat; nothing is sent there until the person writes again",
					);
				muted.add(row.thread.chatId);
				settle("dead");
				return;
			case "give-up":
				logger.error({ chatId: row.thread.chatId, description: result.description }, "Telegram refused a message");
				settle("dead");
		}
	}

	function deliver({ thread, outgoing }: OutboxRow): Promise<CallResult<unknown>> {
		if (outgoing.kind === "text") return client.sendText(thread, outgoing, outgoing);
		const { filename, content, caption } = outgoing;
		return client.sendDocument(
			thread,
			{ bytes: Buffer.from(content, "utf8"), filename, ...(caption !== undefined && { caption }) },
			outgoing,
		);
	}

	return {
		send(thread, outgoing, options = {}) {
			if (outgoing.toAnyone !== true && !deps.mayRead(thread.chatId)) return;
			const id = store.add(thread, outgoing, options);
			if (id === undefined) return;
			const given = store.trim(thread.chatId);
			sql.afterCommit(() => {
				if (given.length > 0)
					logger.warn({ chatId: thread.chatId, given: given.length }, "Too many messages wait for this chat; the oldest were given up");
				for (const each of given) queues.get(thread.chatId)?.dropSend(rowKey(each));
				if (!given.includes(id)) enqueue(id, thread.chatId, options.onSettled);
			});
		},
		live: (thread, options) =>
			createLiveMessage({
				client,
				thread,
				options,
				key: `live:${++liveMessages}`,
				queue: () => queueOf(thread.chatId),
				afterCommit: sql.afterCommit,
				store: liveStore,
				isMuted: () => isClosed(thread.chatId),
				logger,
			}),
		edit(thread, messageId, content) {
			queueOf(thread.chatId).edit(
				`message:${messageId}`,
				{
					run: async () => (isClosed(thread.chatId) ? GIVEN_UP : client.editText(thread, messageId, content)),
					settle: () => undefined,
				},
				true,
			);
		},
		upload: (thread, file, { kind, signal }) =>
			new Promise((resolve) => {
				const key = `upload:${++uploads}`;
				const queue = queueOf(thread.chatId);
				const stop = () => {
					resolve({ kind: "refused", code: 0, description: "stopped before it was sent" });
					// Or the file would stay in memory for as long as Telegram makes the chat wait.
					queue.dropSend(key);
				};
				signal.addEventListener("abort", stop);
				queue.send(key, {
					run: async () => {
						if (signal.aborted || !deps.mayRead(thread.chatId)) return GIVEN_UP;
						return kind === "photo" ? client.sendPhoto(thread, file, {}) : client.sendDocument(thread, file, {});
					},
					settle(result) {
						signal.removeEventListener("abort", stop);
						resolve(result);
					},
				});
			}),
		resend(rowId) {
			if (!store.retry(rowId)) return false;
			const row = store.find(rowId);
			if (row !== undefined) enqueue(row.id, row.thread.chatId);
			return row !== undefined;
		},
		unmute: (chatId) => {
			muted.delete(chatId);
		},
		moveChat(from, to) {
			store.moveChat(from, to);
			liveStore.moveChat(from, to);
		},
		shutOut() {
			for (const { id, thread, outgoing } of store.waiting("in-doubt")) {
				if (outgoing.toAnyone === true || deps.mayRead(thread.chatId)) continue;
				store.setState(id, "dead");
				queues.get(thread.chatId)?.dropSend(rowKey(id));
			}
		},
		conversationIds: store.conversationIds,
		forgetConversation: store.forgetConversation,
		start() {
			for (const leftover of liveStore.takeAll()) tidyUp(leftover.thread, leftover.messageId, leftover.leftover);
			for (const row of store.settleInterrupted()) deps.onUnknown(row);
			for (const row of store.waiting()) enqueue(row.id, row.thread.chatId);
		},
		flush: (graceMs) =>
			new Promise<void>((resolve) => {
				if (isIdle()) return resolve();
				const end = () => {
					cancel();
					idleWaiters.delete(end);
					resolve();
				};
				const cancel = clock.after(graceMs, end);
				idleWaiters.add(end);
			}),
		close() {
			for (const queue of queues.values()) queue.close();
		},
	};

	/** A status message of an earlier process goes; a question says that it ended with the restart. */
	function tidyUp(thread: ChatThread, messageId: number, leftover: string | undefined): void {
		const queue = queueOf(thread.chatId);
		if (leftover === undefined) queue.remove({ run: () => client.deleteMessage(thread, messageId), settle: () => undefined });
		else
			queue.edit(
				`message:${messageId}`,
				{ run: () => client.editText(thread, messageId, { text: leftover, entities: [] }), settle: () => undefined },
				true,
			);
	}
}

const MUTED: CallResult<never> = { kind: "refused", code: 403, description: "muted" };
const rowKey = (id: number) => `row:${id}`;

function messageIdOf(result: unknown): number | undefined {
	const id = fieldOf(result, "message_id");
	return typeof id === "number" ? id : undefined;
}
