import { fieldOf } from "@rightseat/protocol/model/field";
import type { ConversationView } from "../../conversation/conversation-view.ts";
import { fileEditsOf } from "../diff/file-edit.ts";

/** What happened in a conversation while nobody looked, read from its log. */
export interface AwaySummary {
	turns: { messageId: string; outcome: "completed" | "aborted" | "interrupted" | "error" }[];
	commands: { messageId: string; command: string; exitCode: number | null }[];
	files: string[];
	questions: number;
	running: boolean;
}

export function summarizeAway(view: ConversationView, since: number): AwaySummary | undefined {
	const summary: AwaySummary = { turns: [], commands: [], files: [], questions: 0, running: view.turn !== undefined };
	const files = new Set<string>();
	for (const message of view.messages) {
		if (Date.parse(message.createdAt) <= since) continue;
		if (message.role === "assistant") {
			summary.turns.push({ messageId: message.id, outcome: message.metadata.outcome });
			for (const tool of message.metadata.tools) {
				if (tool.success !== false) for (const edit of fileEditsOf(tool.toolName, tool.arguments)) files.add(edit.path);
				const command = agentCommand(tool.toolName, tool.arguments);
				if (command !== undefined)
					summary.commands.push({ messageId: message.id, command, exitCode: exitCodeOf(tool.error ?? tool.result) });
			}
		} else if (message.metadata.bash === true) {
			summary.commands.push({
				messageId: message.id,
				command: message.metadata.command ?? "",
				exitCode: message.metadata.exitCode ?? null,
			});
		}
	}
	summary.files = [...files];
	summary.questions = view.questions.length + view.permissions.length;
	const nothing = summary.turns.length === 0 && summary.commands.length === 0 && summary.questions === 0;
	return nothing ? undefined : summary;
}

function agentCommand(toolName: string, input: unknown): string | undefined {
	if (toolName.toLowerCase() !== "bash") return undefined;
	const command = fieldOf(input, "command");
	return typeof command === "string" ? command : undefined;
}

function exitCodeOf(result: string | undefined): number | null {
	const code = /\[?exit code:? (-?\d+)\]?/i.exec(result?.slice(-200) ?? "")?.[1];
	return code === undefined ? null : Number(code);
}
