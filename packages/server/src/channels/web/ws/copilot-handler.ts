import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import type { Conversations } from "../../../core/conversations/conversations.ts";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId, messageId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { answerTo, nackTo, type SendFn } from "./frames.ts";
import type { WsHandler } from "./router.ts";
import { MAX_SUBSCRIPTIONS, type Subscriptions } from "./subscriptions.ts";

/** `copilot:*` of one connection. */
export interface CopilotHandler extends WsHandler {
	/** The conversation of this connection's latest `copilot:send`. */
	readonly lastConversationId: ConversationId | null;
}

export function createCopilotHandler(deps: {
	conversations: Conversations;
	subscriptions: Subscriptions;
	logger: Logger;
	source: string;
}): CopilotHandler {
	const { conversations, subscriptions } = deps;
	let lastConversationId: ConversationId | null = null;
	/** Conversations this connection spoke to or watched, the latest last. */
	const touched = new Set<ConversationId>();
	const touch = (id: ConversationId) => {
		touched.delete(id);
		touched.add(id);
		const oldest = touched.values().next();
		if (touched.size > MAX_SUBSCRIPTIONS && oldest.done !== true) touched.delete(oldest.value);
	};

	function sendPrompt(frame: ClientFrameOf<"copilot:send">, send: SendFn) {
		const { data } = frame;
		const id = conversationId(data.conversationId);
		const echo = {
			conversationId: data.conversationId,
			...(data.clientMessageId === undefined ? {} : { clientMessageId: data.clientMessageId }),
		};
		let began = false;
		try {
			began = subscriptions.follow(id);
			const receipt = conversations.prompt({ ...data, conversationId: id, origin: "web" });
			lastConversationId = id;
			touch(id);
			const { epoch } = conversations.get(id);
			const stored = { ...echo, epoch, messageId: receipt.messageId, ...(receipt.duplicate ? { duplicate: true } : {}) };
			send(answerTo(frame, { type: "copilot:ack", data: stored }));
		} catch (error) {
			if (began) subscriptions.unsubscribe(id);
			const known = toAppError(error);
			if (known.code === "internal") throw error;
			send(nackTo(frame, known));
		}
	}

	function abort(frame: ClientFrameOf<"copilot:abort">) {
		const given = frame.data?.conversationId;
		if (given !== undefined) {
			const id = conversationId(given);
			conversations.abort(id);
			return;
		}
		const active = new Set(conversations.active());
		const last = [...touched].reverse().find((id) => active.has(id));
		const isStopped = last !== undefined && conversations.abort(last);
		deps.logger.warn(
			{ type: "copilot:abort", ...(last === undefined ? {} : { conversationId: last }) },
			`copilot:abort without conversationId is deprecated; ${isStopped ? "the last active stream was stopped" : "nothing was running that it could stop"}`,
		);
	}

	function handle(frame: ClientFrame, send: SendFn) {
		switch (frame.type) {
			case "copilot:send":
				return sendPrompt(frame, send);
			case "copilot:abort":
				return abort(frame);
			case "copilot:subscribe": {
				const { conversationId: id, ...position } = frame.data;
				subscriptions.subscribe(conversationId(id), position, frame.requestId);
				return touch(conversationId(id));
			}
			case "copilot:unsubscribe":
				touched.delete(conversationId(frame.data.conversationId));
				return subscriptions.unsubscribe(conversationId(frame.data.conversationId));
			case "copilot:status":
				return send(answerTo(frame, { type: "copilot:active-streams", data: { conversationIds: conversations.active() } }));
			case "copilot:user_input_response":
				return conversations.answer({
					...frame.data,
					conversationId: conversationId(frame.data.conversationId),
					by: "web",
					from: deps.source,
				});
			case "copilot:permission_response":
				return conversations.decide({
					...frame.data,
					conversationId: conversationId(frame.data.conversationId),
					by: "web",
					from: deps.source,
				});
			case "copilot:budget_response": {
				const { conversationId: id, ...response } = frame.data;
				return conversations.decideBudget({
					...response,
					conversationId: id === undefined ? undefined : conversationId(id),
					by: "web",
					from: deps.source,
				});
			}
			case "copilot:queue_edit":
				return conversations.editQueued(conversationId(frame.data.conversationId), messageId(frame.data.messageId), frame.data.content);
			case "copilot:queue_move":
				return conversations.moveQueued(conversationId(frame.data.conversationId), messageId(frame.data.messageId), frame.data.toIndex);
			case "copilot:queue_drop":
				return conversations.dropQueued(conversationId(frame.data.conversationId), messageId(frame.data.messageId));
			case "copilot:queue_send_now":
				return conversations.sendQueuedNow(conversationId(frame.data.conversationId), messageId(frame.data.messageId));
			default:
				throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
		}
	}

	return {
		handle,
		onDisconnect: () => subscriptions.close(),
		get lastConversationId() {
			return lastConversationId;
		},
	};
}
