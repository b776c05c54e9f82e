import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId, MessageId } from "../kernel/ids.ts";

/** A prompt as a channel hands it in; `clientMessageId` makes it idempotent. */
export interface PromptRequest {
	conversationId: ConversationId;
	prompt: string;
	clientMessageId?: string;
	attachments?: string[];
	mode?: "enqueue" | "immediate";
	/** No prompt, but something that the agent is told to do; only while nothing runs or waits here. */
	task?: "compact";
	origin: Origin;
	/** The address or the person, for the audit of another host. */
	from?: string;
	/** Nobody sent it just now: a queue that rests until a person acts goes on resting, and this prompt waits in it. */
	unattended?: true;
}

/** The prompt is stored; `duplicate` when it was before. */
export interface PromptReceipt {
	messageId: MessageId;
	duplicate: boolean;
	/** What happened to it; only a repeated one can have been dropped. `outbox`: its host is away, and it waits here under its client id. */
	delivery: "started" | "queued" | "steered" | "dropped" | "outbox";
}
