import { AppError } from "../kernel/errors.ts";
import { type ConversationId, messageId as toMessageId } from "../kernel/ids.ts";
import type { MessageStore } from "../ports/store.ts";
import type { PromptReceipt } from "./prompt-request.ts";

interface Sent extends Pick<PromptReceipt, "messageId" | "delivery"> {
	payloadHash: string | null;
}

/** What was sent under this client id before, also if it was dropped since: sending is idempotent, a repeated prompt must never run again. */
export function findSent(
	messages: Pick<MessageStore, "findByClientId" | "findRemoved">,
	id: ConversationId,
	clientMessageId: string | undefined,
): Sent | undefined {
	if (clientMessageId === undefined) return undefined;
	const known = messages.findByClientId(id, clientMessageId);
	if (known === undefined) {
		const removed = messages.findRemoved(id, clientMessageId);
		return removed === undefined ? undefined : { ...removed, delivery: "dropped" };
	}
	const delivery = known.message.role === "user" ? known.message.metadata.delivery : undefined;
	return {
		messageId: toMessageId(known.message.id),
		payloadHash: known.payloadHash,
		delivery: delivery === "queued" || delivery === "steered" ? delivery : "started",
	};
}

/** The receipt of a repeated send; throws `id-reused` when it is not the same prompt. */
export function repeated({ payloadHash, ...sent }: Sent, repeatedHash: string): PromptReceipt {
	if (payloadHash === repeatedHash) return { ...sent, duplicate: true };
	throw new AppError("id-reused", "This clientMessageId was used for another message. Use a new one.");
}
