import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import { answerFrame, isAnswerable } from "../../../core/conversations/answer-frame.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type Awaitable, after } from "../../../core/kernel/awaitable.ts";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Jobs } from "../../../core/ports/shell.ts";
import { type Source, whoAsks } from "../fleet/who-asks.ts";
import { answerTo, nackTo, type SendFn } from "./frames.ts";
import type { WsHandler } from "./router.ts";
import { MAX_SUBSCRIPTIONS, type Subscriptions } from "./subscriptions.ts";

/** `copilot:*` of one connection. */
export interface CopilotHandler extends WsHandler {
	/** The conversation of this connection's latest `copilot:send`. */
	readonly lastConversationId: ConversationId | null;
}

export function createCopilotHandler(deps: {
	conversations: EveryConversations;
	jobs: Jobs;
	subscriptions: Subscriptions;
	logger: Logger;
	source: Source;
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

	function sendPrompt(frame: ClientFrameOf<"copilot:send">, send: SendFn): Awaitable<void> {
		const id = conversationId(frame.data.conversationId);
		let began = false;
		const refuse = (error: unknown) => {
			if (began) subscriptions.unsubscribe(id);
			const known = toAppError(error);
			if (known.code === "internal") throw error;
			send(nackTo(frame, known));
		};
		try {
			began = subscriptions.follow(id);
			const answered = after(answerFrame(deps, frame, whoAsks(deps.source, frame)), (ack) => {
				lastConversationId = id;
				touch(id);
				if (ack !== undefined) send(answerTo(frame, ack));
			});
			return answered instanceof Promise ? answered.catch(refuse) : answered;
		} catch (error) {
			return refuse(error);
		}
	}

	/** The last active stream of this connection. */
	function abortLast(): Awaitable<void> {
		const active = new Set(conversations.active());
		const last = [...touched].reverse().find((id) => active.has(id));
		return after(last !== undefined && conversations.abort(last), (isStopped) =>
			deps.logger.warn(
				{ type: "copilot:abort", ...(last === undefined ? {} : { conversationId: last }) },
				`copilot:abort without conversationId is deprecated; ${isStopped ? "the last active stream was stopped" : "nothing was running that it could stop"}`,
			),
		);
	}

	function handle(frame: ClientFrame, send: SendFn): Awaitable<void> {
		switch (frame.type) {
			case "copilot:send":
				return sendPrompt(frame, send);
			case "copilot:subscribe": {
				const { conversationId: id, ...position } = frame.data;
				subscriptions.subscribe(conversationId(id), position, frame.requestId);
				return touch(conversationId(id));
			}
			case "copilot:unsubscribe":
				touched.delete(conversationId(frame.data.conversationId));
				return subscriptions.unsubscribe(conversationId(frame.data.conversationId));
			case "copilot:abort":
				if (frame.data?.conversationId === undefined) return abortLast();
				break;
			default:
		}
		if (!isAnswerable(frame)) throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
		return after(answerFrame(deps, frame, whoAsks(deps.source, frame)), (answer) =>
			answer === undefined ? undefined : send(answerTo(frame, answer)),
		);
	}

	return {
		handle,
		onDisconnect: () => subscriptions.close(),
		get lastConversationId() {
			return lastConversationId;
		},
	};
}
