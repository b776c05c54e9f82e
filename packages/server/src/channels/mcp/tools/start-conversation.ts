import * as z from "zod/mini";
import { conversationId } from "../../../core/kernel/ids.ts";
import { shortOf } from "./list-conversations.ts";
import { defineTool, type McpTool, promptArgument, type ToolDeps } from "./mcp-tool.ts";

const text = (max: number, about: string) => z.optional(z.string().check(z.minLength(1), z.maxLength(max), z.describe(about)));

/** A new conversation, with its first prompt if one is given. */
export function startConversation({ conversations, access, lineage }: ToolDeps): McpTool {
	return defineTool({
		name: "start_conversation",
		description:
			"Starts a conversation with a coding agent on this Rightseat server and sends it a first prompt. Returns at once; use await_turn for the answer. The agent asks a person before it changes or runs anything, unless the person who made this token decided otherwise.",
		schema: z.object({
			prompt: z.optional(promptArgument),
			title: text(200, "What people see in the list."),
			agent: text(100, "The id of an agent; without one the server's default."),
			model: text(200, "A model of that agent."),
			cwd: text(4096, "The whole path of the folder to work in, within the folders that the server allows."),
		}),
		isReadOnly: false,
		async run({ prompt, ...wanted }, { caller }) {
			const { descent, permissions } = access.begin(caller, { hasPrompt: prompt !== undefined });
			const created = await conversations.create(wanted);
			const id = conversationId(created.id);
			lineage.add(id, descent);
			// Before the first prompt: what it starts must already ask.
			const conversation =
				created.permissions === permissions
					? created
					: await conversations.update(id, { permissions }, { origin: "api", from: `mcp ${caller.token.name}` });
			if (prompt === undefined) return { conversation: shortOf(conversation), depth: descent.depth };
			access.began(caller, id);
			const { messageId, delivery } = conversations.prompt({ conversationId: id, prompt, origin: "api" });
			return { conversation: shortOf(conversations.get(id)), depth: descent.depth, messageId, delivery };
		},
	});
}
