import type { InboxItem } from "@rightseat/protocol/model/inbox";
import type { Params } from "@rightseat/protocol/model/params";
import { cutText } from "@rightseat/protocol/text";
import type { AppSettings } from "../../../services/settings/settings.ts";

const MAX_BODY_CHARS = 200;

/** What the page's service worker gets. It says `code` and `params` in the person's language; `body` is for a worker that does not know the code. */
export interface PushPayload {
	title: string;
	body: string;
	/** `settled`: the notification about this item is to be closed, and none shown. */
	code: PushCode;
	/** `question`: the words of the agent, which are in no language of ours. */
	params?: Params | undefined;
	/** One notification for a conversation: a newer one replaces the older. */
	tag: string;
	item: string;
	/** Items in the inbox, for the badge of the app. */
	count: number;
	conversationId?: string;
	path: string;
}

type PushCode =
	| "turn-completed"
	| "turn-failed"
	| "turn-interrupted"
	| "question"
	| "login-needed"
	| "budget"
	| "schedule-missed"
	| "settled";
type Where = Pick<PushPayload, "tag" | "item" | "conversationId" | "path">;

/** What is told about an item; undefined when people do not want to know, or when another item says it already. */
export function newsOf(item: InboxItem, settings: AppSettings, count: number): PushPayload | undefined {
	const news = sentenceOf(item);
	if (news === undefined || !(isAsk(item) ? settings.notifyQuestion : settings.notifyTurnEnd)) return undefined;
	const title = item.title === "" ? "Rightseat" : cutText(item.title, MAX_BODY_CHARS);
	return { title, ...news, ...whereOf(item.id, item.conversationId), count };
}

/** Takes back what was told about it. */
export function settledNews(itemId: string, conversationId: string | null, count: number): PushPayload {
	return { title: "Rightseat", body: "", code: "settled", ...whereOf(itemId, conversationId), count };
}

function whereOf(itemId: string, conversationId: string | null): Where {
	if (conversationId === null) return { tag: itemId, item: itemId, path: "/" };
	return { tag: conversationId, item: itemId, conversationId, path: `/c/${conversationId}` };
}

const isAsk = ({ kind }: InboxItem) =>
	kind === "question" || kind === "permission" || kind === "plan" || kind === "budget" || kind === "form";

function sentenceOf({ kind, why }: InboxItem): Pick<PushPayload, "code" | "body" | "params"> | undefined {
	const body = cutText(why, MAX_BODY_CHARS);
	switch (kind) {
		case "question":
		case "permission":
		case "plan":
		case "form":
			return { code: "question", body, params: { question: body } };
		case "finished":
			return { code: "turn-completed", body: "The answer is ready." };
		case "failed":
			return { code: "turn-failed", body: "The answer failed." };
		case "interrupted":
			return { code: "turn-interrupted", body: "The answer was interrupted." };
		case "login-needed":
		case "budget":
		case "schedule-missed":
			return { code: kind, body };
		case "queue-resting":
			// The failure that it rests after was told.
			return undefined;
	}
}
