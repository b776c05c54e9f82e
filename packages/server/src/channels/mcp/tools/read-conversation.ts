import type { Message } from "@rightseat/protocol/model/message";
import * as z from "zod/mini";
import { conversationId, messageId } from "../../../core/kernel/ids.ts";
import { shortOf } from "./list-conversations.ts";
import { boundText, conversationArgument, defineTool, jsonBytes, MAX_ANSWER_BYTES, type McpTool, type ToolDeps } from "./mcp-tool.ts";

const MAX_MESSAGES = 50;
/** Of one message, so that a long one leaves room for others. */
const MAX_MESSAGE_BYTES = MAX_ANSWER_BYTES / 2;
/** For what stands around the messages. */
const FRAME_BYTES = 4_096;
const MAX_NAMED_TOOLS = 50;

/** What was said, newest page first. */
export function readConversation({ conversations, access }: ToolDeps): McpTool {
	return defineTool({
		name: "read_conversation",
		description:
			"Reads the messages of a conversation, oldest first within a page, the newest page first; before: nextCursor reads what came earlier. Long messages are cut (ofChars is the whole length).",
		schema: z.object({
			conversationId: conversationArgument,
			limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_MESSAGES)), 10),
			before: z.optional(z.string().check(z.minLength(1), z.maxLength(200), z.describe("nextCursor of an earlier answer."))),
		}),
		isReadOnly: true,
		async run({ conversationId: id, limit, before }, { caller }) {
			const conversation = access.see(caller, id);
			const key = conversationId(conversation.id);
			const page = conversations.messages(key, { limit, ...(before === undefined ? {} : { before: messageId(before) }) });
			const { messages, isCut } = fitting(page.messages);
			const nextCursor = isCut ? messages[0]?.id : page.nextCursor;
			return { conversation: shortOf(conversation), messages, nextCursor };
		},
	});
}

/** As many of the newest as fit; at least one does. */
function fitting(page: readonly Message[]) {
	const messages: ReturnType<typeof shownOf>[] = [];
	let left = MAX_ANSWER_BYTES - FRAME_BYTES;
	for (const message of [...page].reverse()) {
		const shown = shownOf(message, Math.min(MAX_MESSAGE_BYTES, left));
		left -= jsonBytes(shown);
		if (left < 0 && messages.length > 0) return { messages, isCut: true };
		messages.unshift(shown);
	}
	return { messages, isCut: false };
}

function shownOf(message: Message, maxBytes: number) {
	const { id, role, createdAt } = message;
	const { text: content, ofChars = message.truncated?.content } = boundText(message.content, Math.max(0, maxBytes));
	const base = { id, role, createdAt, content, ...(ofChars === undefined ? {} : { ofChars }) };
	if (message.role === "user") return base;
	const { outcome, tools, error, inReplyTo } = message.metadata;
	const names = tools.slice(0, MAX_NAMED_TOOLS).map((tool) => boundText(tool.toolName, 100).text);
	return {
		...base,
		outcome,
		inReplyTo,
		...(names.length === 0 ? {} : { tools: names }),
		...(error === undefined ? {} : { error: error.code }),
	};
}
