import type { ClientFrame, ClientFrameOf } from "@rightseat/protocol/frames/client";
import type { Conversations } from "../../../core/conversations/conversations.ts";
import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId, execId, messageId } from "../../../core/kernel/ids.ts";
import type { AuditLog } from "../../../core/ports/audit.ts";
import type { Shell } from "../../../core/ports/shell.ts";
import type { BashExecHandler } from "./bash-exec-handler.ts";
import type { CopilotHandler } from "./copilot-handler.ts";
import { answerTo, nackTo, type SendFn } from "./frames.ts";
import type { WsHandler } from "./router.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** `bash:*` of one connection: commands of a person and background jobs. */
export function createBashHandler(deps: {
	conversations: Conversations;
	shell: Shell;
	subscriptions: Subscriptions;
	copilot: Pick<CopilotHandler, "lastConversationId">;
	/** Commands that belong to no conversation: they end with the connection. */
	ephemeral: BashExecHandler;
	audit: AuditLog;
	source: string;
}): WsHandler {
	const { conversations, shell } = deps;

	function exec(frame: ClientFrameOf<"bash:exec">, send: SendFn) {
		const { command } = frame.data;
		const given = frame.data.conversationId;
		const id = given === undefined ? deps.copilot.lastConversationId : conversationId(given);
		if (id === null) {
			deps.audit.record({ kind: "command", source: deps.source, detail: command });
			return deps.ephemeral.handle(frame, send);
		}
		return execInConversation(id, { ...frame, data: { ...frame.data, conversationId: id } }, send);
	}

	function execInConversation(id: ConversationId, frame: ClientFrameOf<"bash:exec">, send: SendFn) {
		const { command, clientMessageId } = frame.data;
		const ids = clientMessageId === undefined ? {} : { clientMessageId };
		let began = false;
		try {
			began = deps.subscriptions.follow(id);
			const receipt = conversations.exec({ command, ...ids, conversationId: id, origin: "web", from: deps.source });
			const data = { conversationId: id, ...ids, messageId: receipt.execId, ...(receipt.duplicate ? { duplicate: true } : {}) };
			send(answerTo(frame, { type: "copilot:ack", data }));
		} catch (error) {
			if (began) deps.subscriptions.unsubscribe(id);
			const known = toAppError(error);
			if (known.code === "internal") throw error;
			send(nackTo(frame, known));
		}
	}

	async function jobOutput(frame: ClientFrameOf<"bash:job_output">, send: SendFn) {
		const { data } = frame;
		const id = conversationId(data.conversationId);
		const result = await shell.jobOutput({ ...data, conversationId: id });
		if (!result.ok)
			throw new AppError("exec-not-found", result.text, { params: { reason: "job", job: data.bashId, because: result.text } });
		const { conversationId: of, bashId } = data;
		send(answerTo(frame, { type: "bash:job_output", data: { conversationId: of, bashId, output: result.text, status: result.status } }));
	}

	async function killJob({ data }: ClientFrameOf<"bash:job_kill">) {
		const result = await shell.killJob(conversationId(data.conversationId), data.bashId);
		if (!result.ok)
			throw new AppError("exec-not-found", result.message, { params: { reason: "job", job: data.bashId, because: result.message } });
	}

	function kill({ data }: ClientFrameOf<"bash:kill">) {
		if (deps.ephemeral.kill(data.execId) || conversations.killExec(execId(data.execId))) return;
		throw new AppError("exec-not-found", "This command is not running any more.", { params: { reason: "command" } });
	}

	function handle(frame: ClientFrame, send: SendFn): void | Promise<void> {
		switch (frame.type) {
			case "bash:exec":
				return exec(frame, send);
			case "bash:kill":
				return kill(frame);
			case "bash:context_drop":
				return conversations.dropBashContext(conversationId(frame.data.conversationId), messageId(frame.data.messageId));
			case "bash:context_trim":
				return conversations.trimBashContext(
					conversationId(frame.data.conversationId),
					messageId(frame.data.messageId),
					frame.data.maxChars,
				);
			case "bash:restart":
				return conversations.restartShell(conversationId(frame.data.conversationId));
			case "bash:jobs": {
				const id = frame.data?.conversationId;
				const jobs = shell.jobs(id === undefined ? undefined : conversationId(id));
				return send(answerTo(frame, { type: "bash:jobs", data: { jobs } }));
			}
			case "bash:job_output":
				return jobOutput(frame, send);
			case "bash:job_kill":
				return killJob(frame);
			default:
				throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
		}
	}
	return { handle, onDisconnect: (send) => deps.ephemeral.onDisconnect?.(send) };
}
