import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { type BotClient, type CallResult, NOT_ALLOWED } from "../api/bot-client.ts";
import { afterSendFailure } from "../api/send-failure.ts";
import { sentMessageId } from "../api/sent-message-id.ts";
import type { ChatQueues } from "./chat-queues.ts";
import type { OutboxRow, OutboxStore, Outgoing } from "./outbox-store.ts";
import { GIVEN_UP } from "./send-queue.ts";

/** How a message ended: Telegram has it, may have it, or never will. */
export type Delivery = "sent" | "unknown" | "dead";
export type OnSettled = (delivery: Delivery) => void;

/** Sends rows of the outbox. Only the id waits in memory: what it says is read from the disk when its turn has come. */
export interface StoredSends {
	enqueue(row: { id: number; chatId: number; onSettled?: OnSettled | undefined }): void;
	/** Gives up a row that still waits. */
	drop(id: number, chatId: number): void;
}

interface StoredSendDeps {
	client: Pick<BotClient, "sendText" | "sendDocument">;
	store: OutboxStore;
	sql: Pick<SqlDatabase, "transaction">;
	queues: ChatQueues;
	/** Chats in which the person blocked the bot. */
	muted: Set<number>;
	mayRead: (chatId: number) => boolean;
	onUnknown: (row: OutboxRow) => void;
	/** Telegram has the last message of an answer. */
	onShown: (answer: NonNullable<Outgoing["shows"]>) => void;
	onMigrated: (from: number, to: number) => void;
	/** In a fleet: awaited before a message leaves, so that another host knows that it may have. False: it must not leave. */
	intend?: ((chatId: number) => Promise<boolean>) | undefined;
	logger: Logger;
}

export function createStoredSends(deps: StoredSendDeps): StoredSends {
	const { store, muted, logger } = deps;

	function enqueue({ id, chatId, onSettled }: Parameters<StoredSends["enqueue"]>[0]): void {
		let row: OutboxRow | undefined;
		let isTaken = false;
		function settle(delivery: Delivery, messageId?: number): void {
			// In one step: in doubt without its notice, nobody would ever be told.
			deps.sql.transaction(() => {
				store.setState(id, delivery, messageId);
				if (delivery === "unknown" && row !== undefined) deps.onUnknown(row);
			});
			onSettled?.(delivery);
			if (delivery === "sent" && row?.outgoing.shows !== undefined) deps.onShown(row.outgoing.shows);
		}
		async function run(): Promise<CallResult<unknown>> {
			// Run again because the disk refused to note the result, it is ours already.
			if (!isTaken) row = store.take(id);
			isTaken = row !== undefined;
			if (row === undefined) return GIVEN_UP;
			if (row.outgoing.toAnyone !== true && !deps.mayRead(row.thread.chatId)) return GIVEN_UP;
			const result = muted.has(row.thread.chatId) ? MUTED : await deliver(deps, row);
			// Telegram did not take it; a crash from here on must not leave it in doubt.
			if (result.kind === "unreachable" || (result.kind === "refused" && result.code < 500)) {
				store.setState(id, "pending");
				isTaken = false;
			}
			return result;
		}
		deps.queues.of(chatId).send(rowKey(id), {
			run,
			settle(result) {
				if (result.kind === "ok") settle("sent", sentMessageId(result));
				else if (result === GIVEN_UP || result === NOT_ALLOWED) settle("dead");
				else if (result.kind === "refused" && result.code < 500 && row !== undefined) refused(row, result, settle, onSettled);
				else settle("unknown");
			},
		});
	}

	function refused(row: OutboxRow, refusal: Refusal, settle: OnSettled, onSettled: OnSettled | undefined): void {
		const { chatId } = row.thread;
		const next = afterSendFailure(row, refusal);
		switch (next.kind) {
			case "keep":
				return;
			case "retry":
				logger.warn({ chatId, description: refusal.description }, next.why);
				store.replace(row.id, next.row.thread, next.row.outgoing);
				enqueue({ id: row.id, chatId: next.row.thread.chatId, onSettled });
				return;
			case "migrate": {
				deps.onMigrated(chatId, next.to);
				const moved = store.find(row.id);
				if (moved !== undefined) enqueue({ id: moved.id, chatId: moved.thread.chatId, onSettled });
				return;
			}
			case "blocked":
				if (!muted.has(chatId))
					logger.warn({ chatId }, "The bot was blocked in this chat; nothing is sent there until the person writes again");
				muted.add(chatId);
				settle("dead");
				return;
			case "give-up":
				logger.error({ chatId, description: refusal.description }, "Telegram refused a message");
				settle("dead");
		}
	}

	return { enqueue, drop: (id, chatId) => deps.queues.dropSend(chatId, rowKey(id)) };
}

type Refusal = Extract<CallResult<never>, { kind: "refused" }>;

const MUTED: CallResult<never> = { kind: "refused", code: 403, description: "muted" };
const NOT_OURS: CallResult<never> = { kind: "unreachable", message: "another host may have the bot" };
const rowKey = (id: number) => `row:${id}`;

async function deliver(
	{ client, intend }: Pick<StoredSendDeps, "client" | "intend">,
	{ thread, outgoing }: OutboxRow,
): Promise<CallResult<unknown>> {
	if (intend !== undefined && !(await intend(thread.chatId))) return NOT_OURS;
	if (outgoing.kind === "text") return client.sendText(thread, outgoing, outgoing);
	const { filename, content, caption } = outgoing;
	return client.sendDocument(thread, { bytes: Buffer.from(content, "utf8"), filename, caption }, outgoing);
}
