import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Connection } from "../connection/connection.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { translator } from "../i18n/words.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { AppActions } from "./app-actions.ts";
import type { Shared } from "./controller.ts";

type MessageActions = Pick<
	AppActions,
	| "sendPrompt"
	| "handleBashSend"
	| "retryOutbox"
	| "discardOutbox"
	| "abort"
	| "answer"
	| "decide"
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

export function createMessageActions(deps: {
	shared: Shared;
	connection: Connection;
	outbox: Outbox;
	newConversation: AppActions["newConversation"];
}): MessageActions {
	const { shared, connection, outbox } = deps;
	const { get, toast, options } = shared;

	/** For what only makes sense now: when it cannot go out, say so instead of doing it at a surprising time later. */
	const now = (frame: ClientFrame) => {
		if (connection.send(frame)) return;
		toast({ kind: "error", text: translator(commonWords, get().language)("notConnected") });
	};

	const sendPrompt: AppActions["sendPrompt"] = async ({ conversationId, prompt, attachments, mode }) => {
		const target = conversationId ?? get().openId ?? (await deps.newConversation());
		if (target === undefined) return false;
		return outbox.add({
			clientMessageId: options.newId(),
			conversationId: target,
			kind: "prompt",
			text: prompt,
			...(attachments === undefined || attachments.length === 0 ? {} : { attachments }),
			...(mode === undefined ? {} : { mode }),
		});
	};

	return {
		sendPrompt,
		async handleBashSend(command, conversationId) {
			const text = command.trim();
			if (text === "") return false;
			const target = conversationId ?? get().openId ?? (await deps.newConversation());
			if (target === undefined) return false;
			return outbox.add({ clientMessageId: options.newId(), conversationId: target, kind: "shell", text });
		},
		retryOutbox: outbox.retry,
		discardOutbox: outbox.discard,
		abort: (conversationId) => now({ type: "copilot:abort", data: { conversationId } }),
		answer: (data) => now({ type: "copilot:user_input_response", data }),
		decide: (data) => now({ type: "copilot:permission_response", data }),
		editQueued: (conversationId, messageId, content) => now({ type: "copilot:queue_edit", data: { conversationId, messageId, content } }),
		moveQueued: (conversationId, messageId, toIndex) => now({ type: "copilot:queue_move", data: { conversationId, messageId, toIndex } }),
		dropQueued: (conversationId, messageId) => now({ type: "copilot:queue_drop", data: { conversationId, messageId } }),
		sendQueuedNow: (conversationId, messageId) => now({ type: "copilot:queue_send_now", data: { conversationId, messageId } }),
		dropContext: (conversationId, messageId) => now({ type: "bash:context_drop", data: { conversationId, messageId } }),
		trimContext: (conversationId, messageId, maxChars) => now({ type: "bash:context_trim", data: { conversationId, messageId, maxChars } }),
		killExec: (execId) => now({ type: "bash:kill", data: { execId } }),
		async retryTurn(conversationId, assistantMessageId) {
			const messages = get().views[conversationId]?.messages ?? [];
			const index = messages.findIndex((message) => message.id === assistantMessageId);
			const failed = messages[index];
			const asked = failed?.role === "assistant" ? messages.find((message) => message.id === failed.metadata.inReplyTo) : undefined;
			const prompt = asked ?? messages.slice(0, index).findLast((message) => message.role === "user" && message.metadata.bash !== true);
			if (prompt?.role !== "user") return false;
			const attachments = prompt.metadata.attachments?.map((attachment) => attachment.id);
			return sendPrompt({ conversationId, prompt: prompt.content, ...(attachments === undefined ? {} : { attachments }) });
		},
		continueTurn: (conversationId) =>
			sendPrompt({
				conversationId,
				prompt: get().language === "zh-Hant" ? "請從中斷的地方繼續。" : "Continue from where you stopped.",
			}),
	};
}
