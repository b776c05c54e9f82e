import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { SessionChoices, SessionSettings } from "../../../core/ports/agent-runtime.ts";
import { type AgentInfo, type Agents, COPILOT_AGENT } from "../../../core/ports/agents.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import { SpokenError } from "../messages/spoken-error.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";

const MAX_CHOICE_BUTTONS = 40;

type Offered = SessionChoices & Pick<AgentInfo, "name">;

/** Commands about how an agent works and how hard its model thinks. */
export interface ChoiceCommands {
	/** Without a name it shows what the agent of the conversation offers; with one it chooses that. */
	choose(thread: ChatThread, setting: Exclude<keyof SessionSettings, "agentProfile">, name: string): Promise<void>;
	/** What a new conversation with this agent shall be set to, by the names in a text; throws when one of them is none. */
	read(thread: ChatThread, agent: string, text: string): Partial<SessionSettings>;
	/** What it is set to, as people read it; empty where the agent decides. */
	named(agent: string, settings: Partial<SessionSettings>): string[];
}

export function createChoiceCommands(deps: {
	conversations: Pick<EveryConversations, "get" | "update">;
	agents: Pick<Agents, "list">;
	bindings: Pick<ChatBindings, "ensure">;
	buttons: Pick<Buttons, "make">;
	speaker: Speaker;
}): ChoiceCommands {
	const { conversations, bindings, buttons, speaker } = deps;
	const find = (id: string) => deps.agents.list().find((agent) => agent.id === id);

	function choicesOf(thread: ChatThread, id: string, none: (words: Messages, name: string) => string): Offered {
		const agent = find(id);
		const choices = agent?.choices;
		const name = agent?.name ?? id;
		if (choices !== undefined && choices.modes.length + choices.efforts.length > 0) return { name, ...choices };
		const words = speaker.words(thread);
		// Copilot has none; what others have is known after their first session.
		const isKnown = choices !== undefined || id === COPILOT_AGENT;
		throw new SpokenError("unknown-option", isKnown ? none(words, name) : words.choicesUnknown(name));
	}
	function refuse(words: Messages, wanted: string, offered: Offered): never {
		const names = [...offered.modes, ...offered.efforts].map(({ name }) => oneLine(name, 40));
		throw new SpokenError("unknown-option", words.unknownChoice(oneLine(wanted, 60), offered.name, names));
	}

	return {
		async choose(thread, setting, name) {
			const { entry } = await bindings.ensure(thread);
			const { conversationId } = entry;
			const { agent, mode, effort } = conversations.get(conversationId);
			const offered = choicesOf(thread, agent, (said, who) => said.noChoices(who));
			const words = speaker.words(thread);
			const theirs = setting === "mode" ? offered.modes : offered.efforts;
			if (theirs.length === 0) throw new SpokenError("unknown-option", words.noChoices(offered.name));
			// The first of the modes is the agent's own already.
			const list = setting === "mode" ? theirs : [{ id: "", name: words.ownModel }, ...theirs];
			if (name !== "") {
				const wanted = list.find((one) => isNamed(one, name));
				if (wanted === undefined) return refuse(words, name, offered);
				await conversations.update(conversationId, settingOf(setting, wanted.id));
				speaker.say(thread, words.choiceChanged(setting, oneLine(wanted.name, 60)));
				return;
			}
			const current = setting === "mode" ? mode : effort;
			const made = list.slice(0, MAX_CHOICE_BUTTONS).map((one) =>
				buttons.make(thread.chatId, `${one.id === current ? "● " : ""}${oneLine(one.name, 40)}`, {
					...{ kind: "set-choice" as const, conversationId, setting, value: one.id, name: oneLine(one.name, 60) },
				}),
			);
			const keyboard = Array.from({ length: Math.ceil(made.length / 2) }, (_, row) => made.slice(row * 2, row * 2 + 2));
			const shown = list.find(({ id }) => id === current)?.name ?? current;
			speaker.say(thread, words.pickChoice(setting, oneLine(shown, 60)), { keyboard });
		},
		read(thread, agent, text) {
			if (text === "") return {};
			const offered = choicesOf(thread, agent, (said, who) => said.newTakesNothing(who));
			return readChoices(offered, text) ?? refuse(speaker.words(thread), text, offered);
		},
		named(agent, { mode, effort }) {
			const { modes = [], efforts = [] } = find(agent)?.choices ?? {};
			return [modes.find(({ id }) => id === mode), efforts.find(({ id }) => id === effort)].flatMap((one) => one?.name ?? []);
		},
	};
}

/** The mode and the effort that a text names, in any order; undefined when there is anything else in it. */
function readChoices({ modes, efforts }: SessionChoices, text: string): Partial<SessionSettings> | undefined {
	const named = (list: SessionChoices["modes"], setting: Exclude<keyof SessionSettings, "agentProfile">) =>
		list.flatMap(({ id, name }) => [id, name].filter((word) => word !== "").map((word) => ({ setting, id, word: word.toLowerCase() })));
	// The longest first: “high” begins “high (slow)”.
	const all = [...named(modes, "mode"), ...named(efforts, "effort")].sort((a, b) => b.word.length - a.word.length);
	const found: Partial<SessionSettings> = {};
	let rest = text.toLowerCase().trim();
	while (rest !== "") {
		const next = all.find(({ setting, word }) => found[setting] === undefined && `${rest} `.startsWith(`${word} `));
		if (next === undefined) return undefined;
		found[next.setting] = next.id;
		rest = rest.slice(next.word.length).trim();
	}
	return found;
}

export const settingOf = (setting: Exclude<keyof SessionSettings, "agentProfile">, value: string): Partial<SessionSettings> =>
	setting === "mode" ? { mode: value } : { effort: value };

const isNamed = ({ id, name }: { id: string; name: string }, wanted: string) =>
	[id, name].some((word) => word.toLowerCase() === wanted.toLowerCase());
