import type { PermissionRequest, PlanRequest, Question } from "@rightseat/protocol/model/ask";
import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import type { FormRequest } from "@rightseat/protocol/model/form";
import type { InboxKind } from "@rightseat/protocol/model/inbox";
import type { Params } from "@rightseat/protocol/model/params";
import type { ConversationId } from "../kernel/ids.ts";

/**
 * Something that waits for a person, as whoever knows about it says it. It is in the inbox for as long as `list` names it: whoever settles it
 * needs to tell nobody but `onChange`.
 */
export interface InboxReason {
	/** Unique over all sources and the same for as long as it waits, also over a restart: begin it with the kind. Letters, digits and dashes. */
	id: string;
	kind: InboxKind;
	/** Null where it belongs to no conversation. */
	conversationId: ConversationId | null;
	/** For one without a conversation; else the conversation's title is looked up. */
	title?: string;
	/** One English sentence, or the agent's own words. */
	why: string;
	/** Its sentence in `protocol/sentences/inbox-sentences.ts` or `error-sentences.ts`, and its values; absent for words of the agent. */
	code?: string | undefined;
	params?: Params | undefined;
	/** Milliseconds since 1970. */
	since: number;
	/** What can be answered in place. */
	question?: Question;
	permission?: PermissionRequest;
	plan?: PlanRequest;
	budget?: BudgetRequest;
	form?: FormRequest;
	scheduleId?: string;
}

/** Somebody who knows of things that wait. Register it with `conversations.inbox.addSource`. */
export interface InboxSource {
	/** What waits now. Called often, so it is cheap; never throws. */
	list(): readonly InboxReason[];
	/** Called when that may have changed, after the change is durable; the result unsubscribes. */
	onChange(listener: () => void): () => void;
}
