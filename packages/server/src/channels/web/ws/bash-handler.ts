import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import { type AnswerableFrame, answerFrame, isAnswerable } from "../../../core/conversations/answer-frame.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type Awaitable, after } from "../../../core/kernel/awaitable.ts";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Jobs } from "../../../core/ports/shell.ts";
import { type Source, whoAsks } from "../fleet/who-asks.ts";
import type { BashExecHandler } from "./bash-exec-handler.ts";
import type { CopilotHandler } from "./copilot-handler.ts";
import { answerTo, nackTo, type SendFn } from "./frames.ts";
import type { WsHandler } from "./router.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** `bash:*` of one connection: commands of a person and background jobs. */
export function createBashHandler(deps: {
	conversations: EveryConversations;
	jobs: Jobs;
	subscriptions: Subscriptions;
	copilot: Pick<CopilotHandler, "lastConversationId">;
	/** Commands that belong to no conversation: they end with the connection. */
	ephemeral: BashExecHandler;
	audit: AuditLog;
	source: Source;
}): WsHandler {
	function exec(frame: ClientFrameOf<"bash:exec">, send: SendFn) {
		const { command } = frame.data;
		const given = frame.data.conversationId;
		const id = given === undefined ? deps.copilot.lastConversationId : conversationId(given);
		if (id === null) {
			deps.audit.record({ kind: "command", source: deps.source.source, detail: command });
			return deps.ephemeral.handle(frame, send);
		}
		return execInConversation(id, { ...frame, data: { ...frame.data, conversationId: id } }, send);
	}

	function execInConversation(id: ConversationId, frame: ClientFrameOf<"bash:exec">, send: SendFn): Awaitable<void> {
		let began = false;
		const refuse = (error: unknown) => {
			if (began) deps.subscriptions.unsubscribe(id);
			const known = toAppError(error);
			if (known.code === "internal") throw error;
			send(nackTo(frame, known));
		};
		try {
			began = deps.subscriptions.follow(id);
			const answered = answer(frame, send);
			return answered instanceof Promise ? answered.catch(refuse) : answered;
		} catch (error) {
			return refuse(error);
		}
	}

	const answer = (frame: AnswerableFrame, send: SendFn): Awaitable<void> =>
		after(answerFrame(deps, frame, whoAsks(deps.source, frame)), (reply) =>
			reply === undefined ? undefined : send(answerTo(frame, reply)),
		);

	function handle(frame: ClientFrame, send: SendFn): Awaitable<void> {
		if (frame.type === "bash:exec") return exec(frame, send);
		if (frame.type === "bash:kill" && deps.ephemeral.kill(frame.data.execId)) return;
		if (isAnswerable(frame)) return answer(frame, send);
		throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
	}
	return { handle, onDisconnect: (send) => deps.ephemeral.onDisconnect?.(send) };
}
