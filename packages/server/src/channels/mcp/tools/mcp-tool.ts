import { firstProblem, sayWrongShape } from "@rightseat/protocol/sentences/wrong-shape";
import { cutText } from "@rightseat/protocol/text";
import * as z from "zod/mini";
import type { Conversations } from "../../../core/conversations/conversations.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ListedTool } from "../../../mcp/methods.ts";
import type { Access, Caller } from "../access.ts";
import type { Lineage } from "../lineage.ts";
import { refuse } from "../refusal.ts";

/** What the tools act on. */
export interface ToolDeps {
	conversations: Conversations;
	access: Access;
	lineage: Lineage;
	clock: Clock;
}

/** One call, as a tool sees it. */
export interface McpCall {
	caller: Caller;
	/** Aborts when the caller is gone or took it back. */
	signal: AbortSignal;
}

/** A tool for programs outside. Throws Refusal or AppError for what the caller can act on; what it gives becomes JSON. */
export interface McpTool extends ListedTool {
	run(args: unknown, call: McpCall): Promise<object>;
}

/** The schema checks the arguments, and tells the model about them. */
export function defineTool<S extends z.ZodMiniObject>(tool: {
	name: string;
	description: string;
	schema: S;
	isReadOnly: boolean;
	run(args: z.output<S>, call: McpCall): Promise<object>;
}): McpTool {
	const { $schema: _, ...parameters } = z.toJSONSchema(tool.schema, { io: "input" });
	return {
		name: tool.name,
		description: tool.description,
		parameters,
		annotations: { readOnlyHint: tool.isReadOnly, openWorldHint: false },
		async run(args, call) {
			const parsed = tool.schema.safeParse(args);
			if (parsed.success) return tool.run(parsed.data, call);
			return refuse("bad-request", sayWrongShape(firstProblem(parsed.error.issues)));
		},
	};
}

/** Of what one call answers, in bytes of JSON: what a model reads without losing its own thread. */
export const MAX_ANSWER_BYTES = 65_536;

/** As much of a text as has at most so many bytes as JSON, and how long it was if it was cut. */
export function boundText(text: string, maxBytes: number): { text: string; ofChars?: number } {
	let kept = cutText(text, maxBytes);
	for (let bytes = jsonBytes(kept); bytes > maxBytes; bytes = jsonBytes(kept)) {
		kept = cutText(kept, Math.max(0, Math.floor((kept.length * maxBytes) / bytes) - 1));
	}
	return kept.length === text.length ? { text: kept } : { text: kept, ofChars: text.length };
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The id of a conversation as an argument. */
export const conversationArgument = z.string().check(z.minLength(1), z.maxLength(200), z.describe("The id of the conversation."));
/** What an agent is asked to do, as an argument. */
export const promptArgument = z.string().check(z.minLength(1), z.maxLength(200_000), z.describe("What the agent is asked to do."));
