import type { PermissionRequest, PlanRequest, Question } from "@rightseat/protocol/model/ask";
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
	/** With `approve-once`: from now on, what the request offers to remember is not asked for again. */
	remember?: boolean | undefined;
	/** Why it was rejected; the agent reads it. */
	feedback?: string;
	by: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** What a person says to a plan. */
export interface PlanResponse {
	/** Without it: whichever conversation has this request. */
	conversationId?: ConversationId | undefined;
	requestId: string;
	approved: boolean;
	/** One of the request's, with `approved`. */
	action?: string | undefined;
	/** What to change, or to mind; the agent reads it. */
	feedback?: string | undefined;
	/** The plan as the person changed it, with `approved`. */
	plan?: string | undefined;
	by: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** What waits for a person in one conversation. */
export interface PendingRequests {
	questions: Question[];
	permissions: PermissionRequest[];
	plans: PlanRequest[];
}
