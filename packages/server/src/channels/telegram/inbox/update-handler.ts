import type { CallbackQuery, Message, Update } from "grammy/types";
import { isStorageRefusal, RETRY_MS } from "../../../core/active/storage-retry.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Access } from "../chats/access.ts";
import type { Strangers } from "../chats/strangers.ts";
import type { Languages } from "../messages/languages.ts";
import type { ChatWork } from "./chat-work.ts";
import type { Inbox } from "./inbox.ts";
import type { MessageHandler } from "./message-handler.ts";

/** Dispatches updates, from the poll to the handler of their kind. */
export interface UpdateHandler {
	/** Commits updates and acts on the new ones; says how many there were. */
	accept(updates: Update[]): number;
	/** Handles what an earlier process took and did not finish. */
	takeUp(): void;
}

export function createUpdateHandler(deps: {
	inbox: Pick<Inbox, "accept" | "pending" | "takeHeld" | "done">;
	access: Pick<Access, "check">;
	strangers: Pick<Strangers, "offerPairing">;
	languages: Pick<Languages, "note">;
	messages: MessageHandler;
	editMessage: (message: Message) => Promise<void>;
	/** `confirmStale` handles updates that were held until the person decided; `done`: what was asked for is done, whatever Telegram is still told. */
	tapButton: (query: CallbackQuery, on: { confirmStale(updateIds: number[]): void; done(): void }) => Promise<void>;
	/** The person wrote again: whoever had blocked the bot has it back. */
	unmute: (chatId: number) => void;
	moveChat: (from: number, to: number) => void;
	work: Pick<ChatWork, "handled">;
	clock: Clock;
	logger: Logger;
}): UpdateHandler {
	const { inbox, access, logger } = deps;

	function handle(update: Update, isConfirmed = false): void {
		try {
			attempt(update, isConfirmed);
		} catch (error) {
			if (isStorageRefusal(error)) {
				// It is on disk, and nothing was done: it waits until the disk takes writes again.
				deps.clock.after(RETRY_MS, () => handle(update, isConfirmed));
				return;
			}
			// One bad update must not stop those behind it.
			deps.work.handled([update.update_id]);
			logger.error({ err: error, updateId: update.update_id }, "A Telegram update could not be handled");
		}
	}

	function attempt(update: Update, isConfirmed: boolean): void {
		const moved = migrationOf(update);
		const verdict = access.check(update);
		if (moved === undefined && verdict.verdict === "allowed") {
			const chat = (update.message ?? update.edited_message ?? update.callback_query?.message)?.chat;
			if (chat !== undefined) deps.languages.note(chat.id, verdict.user.language_code);
			dispatch(update, isConfirmed);
			return;
		}
		// What Telegram itself says counts, whoever is named as its sender.
		if (moved !== undefined) deps.moveChat(moved.from, moved.to);
		inbox.done(update.update_id);
		if (moved === undefined && verdict.verdict === "stranger" && update.message !== undefined)
			deps.strangers.offerPairing(verdict.user, verdict.chatId);
	}

	function dispatch({ update_id: updateId, ...update }: Update, isConfirmed: boolean): void {
		const { callback_query: query, edited_message: edited, message } = update;
		if (message !== undefined) {
			deps.unmute(message.chat.id);
			deps.messages.handle(message, { updateId, isConfirmed });
		} else if (query !== undefined) {
			const done = () => deps.work.handled([updateId]);
			void isolated(() => deps.tapButton(query, { confirmStale, done })).finally(done);
		} else if (edited !== undefined) void isolated(() => deps.editMessage(edited)).finally(() => deps.work.handled([updateId]));
		else deps.work.handled([updateId]);
	}

	function confirmStale(updateIds: number[]): void {
		for (const id of updateIds) {
			const update = inbox.takeHeld(id);
			if (update !== undefined) handle(update, true);
		}
	}

	/** Nobody waits for a tap or an edit, so nobody hears of its error either. */
	async function isolated(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			if (!(error instanceof AppError)) logger.error({ err: error }, "A Telegram update could not be handled");
		}
	}

	return {
		accept(updates) {
			const fresh = inbox.accept(updates, (update) => migrationOf(update) !== undefined || access.check(update).verdict === "allowed");
			for (const update of fresh) handle(update);
			return fresh.length;
		},
		takeUp() {
			for (const update of inbox.pending()) handle(update);
		},
	};
}

/** A group that became a supergroup: told in both, by whoever changed it. */
function migrationOf({ message }: Update): { from: number; to: number } | undefined {
	if (message?.migrate_to_chat_id !== undefined) return { from: message.chat.id, to: message.migrate_to_chat_id };
	if (message?.migrate_from_chat_id !== undefined) return { from: message.migrate_from_chat_id, to: message.chat.id };
	return undefined;
}
