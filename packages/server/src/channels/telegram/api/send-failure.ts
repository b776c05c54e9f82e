import type { OutboxRow } from "../outbox/outbox-store.ts";

export type AfterSendFailure =
	| { kind: "retry"; row: OutboxRow; why: string }
	| { kind: "migrate"; to: number }
	| { kind: "blocked" }
	/** The token is refused: the message waits for a better one. */
	| { kind: "keep" }
	| { kind: "give-up" };

/** What to do with a message that Telegram refused: a plainer one, another place, or nothing more. */
export function afterSendFailure(row: OutboxRow, refusal: { code: number; description: string; migrateTo?: number }): AfterSendFailure {
	const { outgoing, thread } = row;
	if (refusal.code === 401) return { kind: "keep" };
	if (refusal.migrateTo !== undefined) return { kind: "migrate", to: refusal.migrateTo };
	if (refusal.code === 403) return { kind: "blocked" };
	if (/thread not found/i.test(refusal.description) && thread.threadId !== undefined) {
		return {
			kind: "retry",
			row: { ...row, thread: { chatId: thread.chatId } },
			why: "The topic is gone; the message goes to the chat itself",
		};
	}
	if (/entit|parse/i.test(refusal.description) && outgoing.kind === "text" && outgoing.entities.length > 0) {
		return {
			kind: "retry",
			row: { ...row, outgoing: { ...outgoing, entities: [] } },
			why: "Telegram refused the formatting; the message goes as plain text",
		};
	}
	return { kind: "give-up" };
}
