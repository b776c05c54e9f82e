import * as z from "zod/mini";
import { conversationId } from "../../../core/kernel/ids.ts";
import { conversationArgument, defineTool, type McpTool, promptArgument, type ToolDeps } from "./mcp-tool.ts";

/** One more prompt. */
export function sendPrompt({ conversations, access }: ToolDeps): McpTool {
	return defineTool({
		name: "send_prompt",
		description:
			"Sends a prompt to a conversation. Returns at once with the id of the message; use await_turn for the answer. While a turn runs, the prompt waits in the queue. It never answers a question or a permission request: a person does that.",
		schema: z.object({
			conversationId: conversationArgument,
			prompt: promptArgument,
			clientMessageId: z.optional(
				z.string().check(z.minLength(1), z.maxLength(200), z.describe("Your own id for this prompt: sent twice, it runs once.")),
			),
		}),
		isReadOnly: false,
		async run({ conversationId: id, prompt, clientMessageId }, { caller }) {
			const target = conversationId(access.drive(caller, id).id);
			const sent = conversations.prompt({
				...{ conversationId: target, prompt, origin: "api" },
				...(clientMessageId === undefined ? {} : { clientMessageId }),
			});
			return { conversationId: target, messageId: sent.messageId, delivery: sent.delivery, duplicate: sent.duplicate };
		},
	});
}
