import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import { type Agents, COPILOT_AGENT } from "../../../core/ports/agents.ts";
import type { ChatAgents } from "../chats/chat-agents.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { LinkCodes } from "../chats/link-codes.ts";
import { releaseAfterTurn } from "../chats/release-after-turn.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";
import type { ChoiceCommands } from "./choice-commands.ts";
import type { ConversationSwitch } from "./conversation-switch.ts";

const MAX_LISTED = 12;

/** Commands about which conversation the chat shows. */
export interface ConversationCommands {
	/** `settings` names a mode and an effort that the agent of new conversations offers. */
	startNew(asked: Asked, settings: string): Promise<void>;
	/** Goes on here in a fork of what was said so far. */
	fork(asked: Asked): Promise<void>;
	reset(thread: ChatThread): Promise<void>;
	list(thread: ChatThread): void;
	/** Without a code: how to get from here to the page and back. */
	link(asked: Asked, code: string): Promise<void>;
}

/** Who asked. */
export interface Asked {
	thread: ChatThread;
	/** Of the message, the same after a crash. */
	clientMessageId: string;
	/** Called in the step that does what was asked for: the next process does not do it again. */
	done(): void;
}

export function createConversationCommands(deps: {
	conversations: Pick<EveryConversations, "fork" | "active" | "release" | "onChange">;
	bindings: Pick<ChatBindings, "find" | "begin" | "leave">;
	agents: Pick<Agents, "default" | "list">;
	choices: Pick<ChoiceCommands, "read" | "named">;
	chatAgents: Pick<ChatAgents, "forNew">;
	switcher: ConversationSwitch;
	links: Pick<LinkCodes, "take">;
	buttons: Pick<Buttons, "make">;
	stop: (thread: ChatThread) => Promise<string>;
	/** This host of the fleet is not there now. */
	isAway: (host: string) => boolean;
	speaker: Speaker;
	publicUrl: () => string | undefined;
}): ConversationCommands {
	const { conversations, bindings, switcher, buttons, speaker } = deps;

	function showLink(thread: ChatThread): void {
		const { text, url } = linkOf(speaker.words(thread), bindings.find(thread)?.entry.conversationId, deps.publicUrl());
		speaker.say(thread, text, { keyboard: url === undefined ? undefined : [[{ text: speaker.words(thread).openOnPage, url }]] });
	}

	return {
		async startNew({ thread, done }, settings) {
			const before = bindings.find(thread);
			const wanted = deps.chatAgents.forNew(thread);
			const chosen = deps.choices.read(thread, wanted.agent ?? deps.agents.default(), settings);
			await bindings.begin(thread, { ...wanted, ...chosen }, (made) => {
				const words = speaker.words(thread);
				const agent = deps.agents.list().find(({ id }) => id === made.agent)?.name ?? made.agent;
				const by = [...(made.agent === COPILOT_AGENT ? [] : [agent]), made.model, ...deps.choices.named(made.agent, chosen)];
				const started = words.started(by.filter((part) => part !== "").join(", "), made.cwd);
				speaker.say(thread, before === undefined ? started : `${started} ${words.earlierStays}`);
				done();
			});
		},
		async fork({ thread, clientMessageId, done }) {
			const shown = bindings.find(thread);
			if (shown === undefined) {
				speaker.say(thread, speaker.words(thread).nothingToFork);
				return;
			}
			const fork = await conversations.fork(shown.entry.conversationId, { clientMessageId }, "telegram");
			await switcher.show(thread, toConversationId(fork.id), done);
		},
		async reset(thread) {
			const shown = bindings.find(thread);
			if (shown === undefined) {
				speaker.say(thread, speaker.words(thread).nothingToReset);
				return;
			}
			const stopping = deps.stop(thread);
			bindings.leave(thread);
			await stopping;
			await releaseAfterTurn(conversations, shown.entry.conversationId);
			speaker.say(thread, speaker.words(thread).reset);
		},
		list(thread) {
			const words = speaker.words(thread);
			const offered = switcher.offered(thread, MAX_LISTED);
			const current = bindings.find(thread)?.entry.conversationId;
			const keyboard = offered.map((each) => {
				const isAway = each.host !== undefined && deps.isAway(each.host.id);
				const mark = each.id === current ? "● " : isAway ? "💤 " : each.status === "streaming" ? "⏳ " : "";
				return [buttons.make(thread.chatId, `${mark}${labelOf(each, words)}`, { kind: "switch", conversationId: each.id })];
			});
			if (offered.length === 0) speaker.say(thread, words.noConversations);
			else speaker.say(thread, words.pickConversation, { keyboard });
		},
		async link({ thread, done }, code) {
			if (code === "") return showLink(thread);
			const id = deps.links.take(code);
			if (id === undefined) speaker.say(thread, speaker.words(thread).badLinkCode);
			else await switcher.show(thread, id, done);
		},
	};
}

/** In a fleet with the host where it is. */
function labelOf({ title, host }: Conversation, words: Messages): string {
	const label = oneLine(title === "" ? words.newConversation : title, 50);
	return host === undefined ? label : `${label} · ${oneLine(host.name, 30)}`;
}

function linkOf(words: Messages, shown: ConversationId | undefined, base: string | undefined): { text: string; url?: string | undefined } {
	if (shown === undefined) return { text: words.nothingToLink };
	const url = pageUrl(base, shown);
	return { text: `${url === undefined ? words.linkHere : words.linkThere}\n${words.linkBack}`, url };
}

/** Telegram refuses buttons to addresses that only this machine knows. */
function pageUrl(base: string | undefined, id: ConversationId): string | undefined {
	if (base === undefined || !/^https?:\/\/[^/]*\./.test(base) || /^https?:\/\/(127\.|localhost)/.test(base)) return undefined;
	return `${base.replace(/\/+$/, "")}/c/${id}`;
}
