import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Message, UserMessage } from "@rightseat/protocol/model/message";
import type { Connection } from "../connection/connection.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { translator } from "../i18n/words.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { AppActions } from "./app-actions.ts";
import type { PageState } from "./page-state.ts";
import type { Toasts } from "./toasts.ts";

type MessageActions = Pick<
	AppActions,
	| "sendPrompt"
	| "handleBashSend"
	| "retryOutbox"
	| "discardOutbox"
	| "abort"
	| "answer"
	| "decide"
	| "decideBudget"
	| "fillIn"
	| "editQueued"
	| "moveQueued"
	| "dropQueued"
	| "sendQueuedNow"
	| "dropContext"
	| "trimContext"
	| "killExec"
	| "retryTurn"
	| "continueTurn"
>;

/** What a person says to the agent and the shell. Prompts and commands survive a reload in the outbox; the rest goes out now or not at all. */
export function createMessageActions(deps: {
	state: PageState;
	toast: Toasts["toast"];
	newId: () => string;
	send: Connection["send"];
	outbox: Pick<Outbox, "add" | "retry" | "discard">;
	newConversation: AppActions["newConversation"];
	loadMessage: AppActions["loadMessage"];
}): MessageActions {
	const { outbox, newId } = deps;
	const { get } = deps.state;

	/** For what only makes sense now: when it cannot go out, say so instead of doing it at a surprising time later. */
	function now(frame: ClientFrame): void {
		if (deps.send(frame)) return;
		deps.toast({ kind: "error", text: translator(commonWords, get().language)("notConnected") });
	}

	async function sendPrompt({ conversationId, prompt, attachments = [], mode }: Parameters<AppActions["sendPrompt"]>[0]): Promise<boolean> {
		const target = conversationId ?? get().openId ?? (await deps.newConversation());
		if (target === undefined) return false;
		return outbox.add({
			clientMessageId: newId(),
			conversationId: target,
			kind: "prompt",
			text: prompt,
			attachments: attachments.length === 0 ? undefined : attachments,
			mode,
		});
	}

	/** On another host a stop may come late: it names the turn that it means. */
	function turnOf(conversationId: string): { messageId?: string } {
		const turn = isElsewhere(conversationId) ? get().views[conversationId]?.turn : undefined;
		return turn === undefined ? {} : { messageId: turn.messageId };
	}
	/** A command on another host is found by its conversation. */
	function openElsewhere(): { conversationId?: string } {
		const { openId } = get();
		return openId !== undefined && isElsewhere(openId) ? { conversationId: openId } : {};
	}
	function isElsewhere(conversationId: string): boolean {
		const of = get().conversations[conversationId]?.host?.id;
		return get().hosts.some(({ id, self }) => id === of && !self);
	}

	return {
		sendPrompt,
		async handleBashSend(command, conversationId) {
			const text = command.trim();
			if (text === "") return false;
			const target = conversationId ?? get().openId ?? (await deps.newConversation());
			if (target === undefined) return false;
			return outbox.add({ clientMessageId: newId(), conversationId: target, kind: "shell", text });
		},
		retryOutbox: outbox.retry,
		discardOutbox: outbox.discard,
		abort: (conversationId) => now({ type: "copilot:abort", data: { conversationId, ...turnOf(conversationId) } }),
		answer: (data) => now({ type: "copilot:user_input_response", data }),
		decide: (data) => now({ type: "copilot:permission_response", data }),
		fillIn: (data) => now({ type: "copilot:form_response", data }),
		decideBudget: (data) => now({ type: "copilot:budget_response", data }),
		editQueued: (conversationId, messageId, content) => now({ type: "copilot:queue_edit", data: { conversationId, messageId, content } }),
		moveQueued: (conversationId, messageId, toIndex) => now({ type: "copilot:queue_move", data: { conversationId, messageId, toIndex } }),
		dropQueued: (conversationId, messageId) => now({ type: "copilot:queue_drop", data: { conversationId, messageId } }),
		sendQueuedNow: (conversationId, messageId) => now({ type: "copilot:queue_send_now", data: { conversationId, messageId } }),
		dropContext: (conversationId, messageId) => now({ type: "bash:context_drop", data: { conversationId, messageId } }),
		trimContext: (conversationId, messageId, maxChars) => now({ type: "bash:context_trim", data: { conversationId, messageId, maxChars } }),
		killExec: (execId) => now({ type: "bash:kill", data: { execId, ...openElsewhere() } }),
		async retryTurn(conversationId, assistantMessageId) {
			const prompt = promptOf(get().views[conversationId]?.messages ?? [], assistantMessageId);
			if (prompt === undefined) {
				deps.toast({ kind: "error", text: translator(commonWords, get().language)("promptNotHere") });
				return false;
			}
			// The page may have only the beginning of a very long one.
			const whole = prompt.truncated === undefined ? prompt : await deps.loadMessage(conversationId, prompt.id);
			if (whole === undefined) return false;
			return sendPrompt({ conversationId, prompt: whole.content, attachments: prompt.metadata.attachments?.map(({ id }) => id) });
		},
		continueTurn: (conversationId) =>
			sendPrompt({
				conversationId,
				prompt: translator(commonWords, get().language)("continuePrompt"),
			}),
	};
}

/** The prompt of an answer; undefined when either is not on the page: the one before would be another prompt. */
function promptOf(messages: readonly Message[], assistantMessageId: string): UserMessage | undefined {
	const index = messages.findIndex((message) => message.id === assistantMessageId);
	const answer = messages[index];
	if (answer?.role !== "assistant") return undefined;
	const { inReplyTo } = answer.metadata;
	const isPrompt = (message: Message) => message.role === "user" && message.metadata.bash !== true;
	const prompt =
		inReplyTo === undefined ? messages.slice(0, index).findLast(isPrompt) : messages.find((message) => message.id === inReplyTo);
	return prompt?.role === "user" ? prompt : undefined;
}
