import { fieldOf } from "@rightseat/protocol/model/field";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import type { ConversationView } from "../../conversation/conversation-view.ts";
import type { Absence } from "../../state/app-state.ts";
import { fileEditsOf } from "../diff/file-edit.ts";

/** What happened in a conversation while nobody looked, read from its log. */
export interface AwaySummary {
	turns: { messageId: string; outcome: "completed" | "aborted" | "interrupted" | "error" }[];
	/** `failed` also without an exit code: not every agent tells one. */
	commands: { messageId: string; command: string; exitCode: number | null; failed: boolean }[];
	files: string[];
	questions: number;
	running: boolean;
}

export function summarizeAway(view: ConversationView, { at, until }: Absence): AwaySummary | undefined {
	const summary: AwaySummary = { turns: [], commands: [], files: [], questions: 0, running: view.turn !== undefined };
	const files = new Set<string>();
	for (const message of view.messages) {
		const time = Date.parse(message.createdAt);
		if (time <= at || time > until) continue;
		if (message.role === "assistant") {
			summary.turns.push({ messageId: message.id, outcome: message.metadata.outcome });
			for (const tool of message.metadata.tools) {
				// What an agent names itself counts before what its arguments look like.
				if (tool.success !== false) for (const edit of tool.diffs ?? fileEditsOf(tool.toolName, tool.arguments)) files.add(edit.path);
				const command = agentCommand(tool);
				if (command === undefined) continue;
				const exitCode = exitCodeOf(tool.error ?? tool.result);
				summary.commands.push({
					messageId: message.id,
					command,
					exitCode,
					failed: exitCode === null ? tool.success === false : exitCode !== 0,
				});
			}
		} else if (message.metadata.bash === true) {
			const exitCode = message.metadata.exitCode ?? null;
			const command = message.metadata.command ?? "";
			summary.commands.push({ messageId: message.id, command, exitCode, failed: exitCode !== null && exitCode !== 0 });
		}
	}
	summary.files = [...files];
	summary.questions = view.questions.length + view.permissions.length + view.plans.length + view.budgets.length + view.forms.length;
	const nothing = summary.turns.length === 0 && summary.commands.length === 0 && summary.questions === 0;
	return nothing ? undefined : summary;
}

/** In our shell, whatever the agent calls it, or in one of its own. */
function agentCommand({ toolName, arguments: input, shell, title }: ToolRecord): string | undefined {
	if (toolName.toLowerCase() !== "bash" && shell === undefined) return undefined;
	const command = fieldOf(input, "command");
	if (typeof command === "string") return command;
	return shell === undefined ? undefined : (title ?? toolName);
}

function exitCodeOf(result: string | undefined): number | null {
	const code = /\[?exit code:? (-?\d+)\]?/i.exec(result?.slice(-200) ?? "")?.[1];
	return code === undefined ? null : Number(code);
}
