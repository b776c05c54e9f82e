import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId, MessageId } from "../kernel/ids.ts";

/** A prompt as a channel hands it in; `clientMessageId` makes it idempotent. */
export interface PromptRequest {
	conversationId: ConversationId;
	prompt: string;
	clientMessageId?: string;
	attachments?: string[];
	mode?: "enqueue" | "immediate";
	origin: Origin;
	/** Nobody sent it just now: a queue that rests until a person acts goes on resting, and this prompt waits in it. */
	unattended?: true;
}

/** The prompt is stored; `duplicate` when it was before. */
export interface PromptReceipt {
	messageId: MessageId;
	duplicate: boolean;
	/** What happened to it; only a repeated one can have been dropped. */
	delivery: "started" | "queued" | "steered" | "dropped";
}
