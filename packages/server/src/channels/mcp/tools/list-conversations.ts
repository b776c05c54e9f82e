import type { Conversation } from "@rightseat/protocol/model/conversation";
import { cutText } from "@rightseat/protocol/text";
import * as z from "zod/mini";
import type { Caller } from "../access.ts";
import { refuse } from "../refusal.ts";
import { defineTool, type McpTool, type ToolDeps } from "./mcp-tool.ts";

const MAX_LISTED = 50;

/** The conversations that a token may see. */
export function listConversations(deps: ToolDeps): McpTool {
	function own({ token }: Caller, limit: number, cursor: string | undefined) {
		if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) refuse("bad-request", "cursor: give the nextCursor of an earlier answer.");
		const page = deps.lineage.listOf(token.owner, { limit, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) });
		const conversations = page.ids.flatMap((id) => deps.conversations.find(id) ?? []);
		return { conversations, nextCursor: page.nextCursor === undefined ? undefined : String(page.nextCursor) };
	}
	return defineTool({
		name: "list_conversations",
		description:
			"Lists conversations with coding agents on this Rightseat server: id, title, state, agent, folder. state is streaming (a turn runs), completed, error or idle (no turn yet); asking means that a person must answer first.",
		schema: z.object({
			limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_LISTED)), 20),
			cursor: z.optional(z.string().check(z.maxLength(500), z.describe("nextCursor of an earlier answer."))),
		}),
		isReadOnly: true,
		async run({ limit, cursor }, { caller }) {
			const page =
				caller.token.reach === "own"
					? own(caller, limit, cursor)
					: deps.conversations.list({ limit, archived: false, ...(cursor === undefined ? {} : { cursor }) });
			return { conversations: page.conversations.map(shortOf), nextCursor: page.nextCursor };
		},
	});
}

/** A conversation as a program needs it. */
export const shortOf = ({ id, title, agent, model, cwd, permissions, status, asking, updatedAt }: Conversation) => ({
	...{ id, title: cutText(title, 200), state: status, asking, agent, model, cwd, permissions, updatedAt },
});
