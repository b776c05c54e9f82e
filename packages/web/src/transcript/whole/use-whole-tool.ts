import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { useContext } from "react";
import { api } from "../../api/api.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useWhole, type Whole } from "./use-whole.ts";
import { WholeContext } from "./whole-memory.ts";
import { wholeWords } from "./whole-messages.ts";

export interface WholeTool {
	/** The whole call once it has come. */
	tool: ToolRecord;
	/** For `WholeNote`; undefined when nothing is missing. */
	note: { whole: Whole<unknown>; about: string; onLoad: () => void } | undefined;
}

/** One call of a tool, and the rest of it once its card is open. */
export function useWholeTool(options: {
	conversationId: string;
	messageId: string;
	tool: ToolRecord;
	running: boolean;
	wanted: boolean;
}): WholeTool {
	const { conversationId, messageId, tool, running } = options;
	const t = useWords(wholeWords);
	const cut = tool.truncated !== undefined;
	const { whole, retry } = useWhole<ToolRecord>({
		// A call that has ended has a result that a running one had not.
		key: `${messageId} ${tool.toolCallId} ${running}`,
		wanted: options.wanted && cut,
		memory: useContext(WholeContext)?.tools,
		load: (signal) => api.tool(conversationId, { messageId, toolCallId: tool.toolCallId }, signal),
	});
	if (!cut) return { tool, note: undefined };
	if (whole.kind !== "whole") return { tool, note: { whole, about: t("partOfList"), onLoad: retry } };
	// What a running call prints comes by events, newer than what was fetched.
	if (running) return { tool: { ...tool, arguments: whole.value.arguments, truncated: undefined }, note: undefined };
	return { tool: whole.value, note: undefined };
}
