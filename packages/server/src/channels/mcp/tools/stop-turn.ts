import * as z from "zod/mini";
import { conversationId } from "../../../core/kernel/ids.ts";
import { conversationArgument, defineTool, type McpTool, type ToolDeps } from "./mcp-tool.ts";

/** Stops what runs. */
export function stopTurn({ conversations, access }: ToolDeps): McpTool {
	return defineTool({
		name: "stop_turn",
		description: "Stops the running turn of a conversation. What was written so far stays; queued prompts stay. Nothing running is fine.",
		schema: z.object({ conversationId: conversationArgument }),
		isReadOnly: false,
		async run({ conversationId: id }, { caller }) {
			const target = conversationId(access.act(caller, id).id);
			return { conversationId: target, stopped: conversations.abort(target) };
		},
	});
}
