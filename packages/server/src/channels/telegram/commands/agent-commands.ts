import type { AgentInfo, Agents } from "../../../core/ports/agents.ts";
import type { ChatAgents } from "../chats/chat-agents.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import { SpokenError } from "../messages/spoken-error.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";

const MAX_LISTED = 20;

/** The command about which agent drives a conversation. */
export interface AgentCommands {
	/** Without a name it lists the agents; with one it chooses that of the chat's next conversations. Starts none. */
	agent(thread: ChatThread, name: string): Promise<void>;
	/** Chooses by id. */
	choose(thread: ChatThread, id: string): void;
}

export function createAgentCommands(deps: {
	agents: Pick<Agents, "default" | "list" | "refresh">;
	chatAgents: ChatAgents;
	buttons: Pick<Buttons, "make">;
	speaker: Speaker;
}): AgentCommands {
	const { agents, chatAgents, buttons, speaker } = deps;

	function choose(thread: ChatThread, { id, name, health }: AgentInfo): void {
		const words = speaker.words(thread);
		const problem = problemOf(health, words);
		// Chosen all the same, it would fail with the same words at the first message.
		if (health.state === "missing") throw new SpokenError("agent-missing", problem ?? words.agentState(health.state));
		chatAgents.choose(thread, id);
		speaker.say(thread, [words.agentChosen(name), ...(problem === undefined ? [] : [problem])].join("\n"));
	}

	function find(thread: ChatThread, name: string): AgentInfo {
		const wanted = name.toLowerCase();
		const found = agents.list().find((agent) => agent.id === wanted || agent.name.toLowerCase() === wanted);
		if (found === undefined) throw new SpokenError("unknown-agent", speaker.words(thread).noSuchAgent(oneLine(name, 60)));
		return found;
	}

	return {
		async agent(thread, name) {
			await agents.refresh();
			if (name !== "") return choose(thread, find(thread, name));
			const words = speaker.words(thread);
			const current = chatAgents.forNew(thread).agent ?? agents.default();
			const listed = agents.list().slice(0, MAX_LISTED);
			const lines = listed.map((agent) => lineOf(agent, agent.id === current, words));
			const choices = listed.filter(({ id, health }) => id !== current && health.state !== "missing");
			const keyboard = choices.map(({ id, name: title }) => [
				buttons.make(thread.chatId, oneLine(title, 40), { kind: "set-agent", agent: id }),
			]);
			speaker.say(thread, [words.agentsAre, ...lines].join("\n"), { keyboard });
		},
		choose: (thread, id) => choose(thread, find(thread, id)),
	};
}

function lineOf({ name, health }: AgentInfo, isCurrent: boolean, words: Messages): string {
	const version = health.version === undefined || health.provider !== "acp" ? "" : ` ${oneLine(health.version, 20)}`;
	const problem = problemOf(health, words);
	return `${isCurrent ? "● " : "○ "}${oneLine(name, 60)}${version}: ${words.agentState(health.state)}${problem === undefined ? "" : `. ${problem}`}`;
}

function problemOf({ message, code = "", params }: AgentInfo["health"], words: Messages): string | undefined {
	return message === undefined ? undefined : words.error({ code, message, params });
}
