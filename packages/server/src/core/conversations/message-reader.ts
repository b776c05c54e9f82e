import type { RunningTurn } from "@rightseat/protocol/model/turn";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { MessageStore } from "../ports/store.ts";
import type { WholeMessage } from "../ports/whole-message.ts";
import type { Conversations } from "./conversations.ts";
import { messageJson } from "./message-json.ts";

export const MAX_PAGE = 200;
/** A page of messages ends here, whatever its limit; the rest is the next page. */
const MAX_PAGE_BYTES = 2 * 1_048_576;

/** Reads what is stored of a conversation: a page of messages, a whole message, a whole call of a tool. */
export function createMessageReader(deps: {
	messages: Pick<MessageStore, "page" | "find" | "open" | "findTool">;
	/** Throws `conversation-not-found`. */
	row(id: ConversationId): unknown;
	runningTurn(id: ConversationId): RunningTurn | undefined;
}): Pick<Conversations, "messages" | "message" | "wholeText" | "tool"> {
	function whole(id: ConversationId, messageId: MessageId): WholeMessage {
		deps.row(id);
		const message = deps.messages.open(id, messageId);
		if (message === undefined) throw noSuchMessage();
		return message;
	}

	return {
		messages(id, page) {
			deps.row(id);
			// An empty page would say that there is nothing older.
			if (page.before !== undefined && deps.messages.find(id, page.before) === undefined) throw noSuchMessage();
			// Queued prompts come last: they were acknowledged, so whoever asks must find them.
			const bounds = { limit: Math.min(page.limit, MAX_PAGE), maxBytes: MAX_PAGE_BYTES };
			return deps.messages.page(id, { ...page, ...bounds, withQueued: page.before === undefined });
		},
		message: (id, messageId) => messageJson(whole(id, messageId)),
		wholeText(id, messageId) {
			const { message, answer } = whole(id, messageId);
			return answer?.content() ?? [message.content];
		},
		tool(id, messageId, toolCallId) {
			deps.row(id);
			const turn = deps.runningTurn(id);
			const running = turn?.messageId === messageId ? turn.tools.findLast((call) => call.toolCallId === toolCallId) : undefined;
			const tool = running ?? deps.messages.findTool(id, messageId, toolCallId);
			if (tool === undefined) throw noSuchMessage();
			return tool;
		},
	};
}

const noSuchMessage = () =>
	new AppError("message-not-found", "There is no such message in this conversation any more. Begin with the newest page again.");
