import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Agents } from "../../../core/ports/agents.ts";
import { requireAgent } from "../../../core/turns/require-agent.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import { SpokenError } from "../messages/spoken-error.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";

const MAX_MODEL_BUTTONS = 40;

/** Commands that show a setting of the conversation, or change it. */
export interface SettingCommands {
	model(thread: ChatThread, name: string): Promise<void>;
	workingDirectory(thread: ChatThread, path: string): Promise<void>;
}

export function createSettingCommands(deps: {
	conversations: Pick<EveryConversations, "get" | "update">;
	agents: Pick<Agents, "find">;
	bindings: Pick<ChatBindings, "ensure">;
	buttons: Pick<Buttons, "make">;
	speaker: Speaker;
}): SettingCommands {
	const { conversations, agents, bindings, buttons, speaker } = deps;
	return {
		async model(thread, name) {
			const { entry } = await bindings.ensure(thread);
			const { conversationId, model: current } = entry;
			const { models, state } = await requireAgent(agents, conversations.get(conversationId).agent).listModels();
			const words = speaker.words(thread);
			if (name !== "") {
				const known = models.find((each) => each.id === name || each.name.toLowerCase() === name.toLowerCase());
				const wanted = known ?? (state === "unlisted" ? { id: name } : undefined);
				if (wanted === undefined) throw new SpokenError("unknown-model", words.unknownModel(oneLine(name, 60)));
				await conversations.update(conversationId, { model: wanted.id });
				speaker.say(thread, words.modelChanged(wanted.id));
				return;
			}
			const offered = models.slice(0, MAX_MODEL_BUTTONS).map(({ id, name: title }) =>
				buttons.make(thread.chatId, `${id === current ? "● " : ""}${oneLine(title, 40)}`, {
					kind: "set-model",
					conversationId,
					model: id,
				}),
			);
			const keyboard = Array.from({ length: Math.ceil(offered.length / 2) }, (_, row) => offered.slice(row * 2, row * 2 + 2));
			speaker.say(thread, words.pickModel(current === "" ? words.ownModel : current), { keyboard });
		},
		async workingDirectory(thread, path) {
			const { entry } = await bindings.ensure(thread);
			const { directoryIs, directoryChanged } = speaker.words(thread);
			if (path === "") {
				speaker.say(thread, joinTexts([directoryIs[0], styled(entry.workingDirectory, { type: "code" }), directoryIs[1]]));
				return;
			}
			const { cwd } = await conversations.update(entry.conversationId, { cwd: path });
			speaker.say(thread, joinTexts([directoryChanged[0], styled(cwd, { type: "code" }), directoryChanged[1]]));
		},
	};
}
