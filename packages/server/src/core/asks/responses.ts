import type { PermissionRequest, Question } from "@rightseat/protocol/model/ask";
import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId } from "../kernel/ids.ts";

/** A person's answer to a question of the agent. */
export interface QuestionResponse {
	conversationId: ConversationId;
	requestId: string;
	answer: string;
	wasFreeform?: boolean;
	by: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** A person's decision on a permission request. */
export interface PermissionResponse {
	conversationId: ConversationId;
	requestId: string;
	decision: "approve-once" | "approve-for-session" | "reject";
	/** Why it was rejected; the agent reads it. */
	feedback?: string;
	by: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** What waits for a person in one conversation. */
export interface PendingRequests {
	questions: Question[];
	permissions: PermissionRequest[];
}
