import { type AgentCommand, agentCommandsAnswer } from "@rightseat/protocol/http/agent-commands";
import { requestJson } from "../../api/request.ts";
import { findSlashCommand } from "../../commands/slash-commands.ts";
import { type Language, translator } from "../../i18n/words.ts";
import { fuzzyFilter } from "../../search/fuzzy-match.ts";
import { agentCommandWords } from "./agent-command-messages.ts";
import type { Suggestion } from "./use-suggestions.ts";

/** What fits the word behind the slash, best first. */
export type FindAgentCommands = (word: string, language: Language) => Suggestion[];

/** Skills and commands of a conversation's agent. The page's own commands come before theirs of the same name. */
export async function loadAgentCommands(conversationId: string): Promise<FindAgentCommands> {
	const { commands } = await requestJson(`/api/conversations/${encodeURIComponent(conversationId)}/commands`, agentCommandsAnswer);
	const offered = commands.filter(({ name }) => findSlashCommand(name) === undefined);
	return (word, language) => fuzzyFilter(word, offered, ({ name }) => name).map((command) => toSuggestion(command, language));
}

function toSuggestion(command: AgentCommand, language: Language): Suggestion {
	const label = `/${command.name}`;
	return {
		id: `agent-${command.name}`,
		label,
		hint: hintOf(command, language),
		// What may follow is written behind it; the whole name, typed, is sent.
		choose: (text) => ({ text: text === label ? text : `${label} `, caret: label.length + 1, run: text === label }),
	};
}

function hintOf({ name, description, kind }: AgentCommand, language: Language): string {
	const words = translator(agentCommandWords, language);
	if (kind === "skill") return description === "" ? words("skill") : description;
	if (name === "init" || name === "review" || name === "security-review" || name === "research") return words(name);
	return description;
}
