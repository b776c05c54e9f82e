import type { ClientFrame, ClientFrameOf, ClientFrameType } from "@rightseat/protocol/frames/client";
import type { AnswerFrame } from "@rightseat/protocol/frames/server";
import type { Actor } from "../kernel/actor.ts";
import { type Awaitable, after } from "../kernel/awaitable.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId, execId, messageId } from "../kernel/ids.ts";
import type { Jobs } from "../ports/shell.ts";
import type { EveryConversations } from "./conversations.ts";

/** Frames about conversations that mean the same whoever carries them; what else there is belongs to one connection. */
const TYPES = [
	...(["copilot:send", "copilot:abort", "copilot:status", "copilot:user_input_response", "copilot:permission_response"] as const),
	...(["copilot:budget_response", "copilot:plan_response", "copilot:form_response", "copilot:subagent_stop"] as const),
	...(["copilot:queue_edit", "copilot:queue_move", "copilot:queue_drop", "copilot:queue_send_now"] as const),
	...(["bash:exec", "bash:kill", "bash:context_drop", "bash:context_trim", "bash:restart"] as const),
	...(["bash:jobs", "bash:job_output", "bash:job_kill"] as const),
] as const satisfies readonly ClientFrameType[];
export type AnswerableFrame = ClientFrameOf<(typeof TYPES)[number]>;
const ANSWERABLE: ReadonlySet<string> = new Set(TYPES);

export const isAnswerable = (frame: ClientFrame): frame is AnswerableFrame => ANSWERABLE.has(frame.type);

export interface AnswerDeps {
	conversations: EveryConversations;
	jobs: Jobs;
	/** The asker wants to know what happened to a prompt; a page sees it. */
	tellsDelivery?: boolean;
}

/**
 * Carries out a frame for somebody: the one meaning that it has on a socket and between hosts. The result is the answer to it, if it has one beside "done".
 * Throws or rejects with AppError when nothing was done.
 */
export function answerFrame(deps: AnswerDeps, frame: AnswerableFrame, who: Actor): Awaitable<AnswerFrame | undefined> {
	const { conversations } = deps;
	const person = { by: who.origin, ...fromOf(who) };
	switch (frame.type) {
		case "copilot:send":
			return sendPrompt(deps, frame, who);
		case "copilot:abort":
			return abort(deps, frame);
		case "copilot:subagent_stop":
			return done(conversations.stopSubAgent(conversationId(frame.data.conversationId), frame.data.agentId));
		case "copilot:status":
			return { type: "copilot:active-streams", data: { conversationIds: conversations.active() } };
		case "copilot:user_input_response":
			return done(conversations.answer({ ...frame.data, conversationId: conversationId(frame.data.conversationId), ...person }));
		case "copilot:permission_response":
			return done(conversations.decide({ ...frame.data, conversationId: conversationId(frame.data.conversationId), ...person }));
		case "copilot:budget_response": {
			const { conversationId: id, ...response } = frame.data;
			return done(
				conversations.decideBudget({ ...response, conversationId: id === undefined ? undefined : conversationId(id), ...person }),
			);
		}
		case "copilot:plan_response": {
			const { conversationId: id, ...response } = frame.data;
			return done(conversations.decidePlan({ ...response, conversationId: id === undefined ? undefined : conversationId(id), ...person }));
		}
		case "copilot:form_response": {
			const { conversationId: id, ...response } = frame.data;
			return done(conversations.fillIn({ ...response, conversationId: id === undefined ? undefined : conversationId(id), ...person }));
		}
		case "copilot:queue_edit":
			return done(conversations.editQueued(...messageOf(frame), frame.data.content));
		case "copilot:queue_move":
			return done(conversations.moveQueued(...messageOf(frame), frame.data.toIndex));
		case "copilot:queue_drop":
			return done(conversations.dropQueued(...messageOf(frame)));
		case "copilot:queue_send_now":
			return done(conversations.sendQueuedNow(...messageOf(frame)));
		default:
			return answerBash(deps, frame, who);
	}
}

function answerBash(deps: AnswerDeps, frame: Extract<AnswerableFrame, { type: `bash:${string}` }>, who: Actor) {
	const { conversations, jobs } = deps;
	switch (frame.type) {
		case "bash:exec":
			return exec(deps, frame, who);
		case "bash:kill":
			return killExec(deps, frame);
		case "bash:context_drop":
			return done(conversations.dropBashContext(...messageOf(frame)));
		case "bash:context_trim":
			return done(conversations.trimBashContext(...messageOf(frame), frame.data.maxChars));
		case "bash:restart":
			return done(conversations.restartShell(conversationId(frame.data.conversationId)));
		case "bash:jobs": {
			const id = frame.data?.conversationId;
			const found = jobs.jobs(id === undefined ? undefined : conversationId(id));
			return after(found, (all): AnswerFrame => ({ type: "bash:jobs", data: { jobs: all } }));
		}
		case "bash:job_output":
			return jobOutput(deps, frame);
		default:
			return killJob(deps, frame);
	}
}

function sendPrompt(
	{ conversations, tellsDelivery }: AnswerDeps,
	{ data }: ClientFrameOf<"copilot:send">,
	who: Actor,
): Awaitable<AnswerFrame> {
	const id = conversationId(data.conversationId);
	return after(conversations.prompt({ ...data, conversationId: id, origin: who.origin, ...fromOf(who) }), (receipt) => ({
		type: "copilot:ack",
		data: {
			conversationId: data.conversationId,
			...clientIdOf(data),
			...epochOf(conversations, id),
			messageId: receipt.messageId,
			...(receipt.duplicate ? { duplicate: true } : {}),
			...(tellsDelivery === true || receipt.delivery === "outbox" ? { delivery: receipt.delivery } : {}),
		},
	}));
}

function exec({ conversations }: AnswerDeps, { data }: ClientFrameOf<"bash:exec">, who: Actor): Awaitable<AnswerFrame> {
	// Without a conversation it belongs to one connection, which runs it itself.
	if (data.conversationId === undefined)
		throw new AppError("bad-frame", "Say in which conversation.", { params: { type: "bash:exec", where: "conversationId" } });
	const id = conversationId(data.conversationId);
	const request = { command: data.command, ...clientIdOf(data), conversationId: id, origin: who.origin, ...fromOf(who) };
	return after(conversations.exec(request), (receipt) => ({
		type: "copilot:ack",
		data: { conversationId: id, ...clientIdOf(data), messageId: receipt.execId, ...(receipt.duplicate ? { duplicate: true } : {}) },
	}));
}

function abort({ conversations }: AnswerDeps, { data }: ClientFrameOf<"copilot:abort">): Awaitable<undefined> {
	if (data?.conversationId === undefined)
		throw new AppError("bad-frame", "Say which conversation to stop.", { params: { type: "copilot:abort", where: "conversationId" } });
	return done(
		conversations.abort(conversationId(data.conversationId), data.messageId === undefined ? undefined : messageId(data.messageId)),
	);
}

function killExec({ conversations }: AnswerDeps, { data }: ClientFrameOf<"bash:kill">): Awaitable<undefined> {
	const where = data.conversationId === undefined ? undefined : conversationId(data.conversationId);
	return after(conversations.killExec(execId(data.execId), where), (wasRunning) => {
		if (!wasRunning) throw new AppError("exec-not-found", "This command is not running any more.", { params: { reason: "command" } });
		return undefined;
	});
}

async function jobOutput({ jobs }: AnswerDeps, { data }: ClientFrameOf<"bash:job_output">): Promise<AnswerFrame> {
	const { conversationId: of, bashId } = data;
	const result = await jobs.jobOutput({ ...data, conversationId: conversationId(of) });
	if (!result.ok) throw new AppError("exec-not-found", result.text, { params: { reason: "job", job: bashId, because: result.text } });
	return { type: "bash:job_output", data: { conversationId: of, bashId, output: result.text, status: result.status } };
}

async function killJob({ jobs }: AnswerDeps, { data }: ClientFrameOf<"bash:job_kill">): Promise<undefined> {
	const { ok, message } = await jobs.killJob(conversationId(data.conversationId), data.bashId);
	if (!ok) throw new AppError("exec-not-found", message, { params: { reason: "job", job: data.bashId, because: message } });
}

const messageOf = ({ data }: { data: { conversationId: string; messageId: string } }) =>
	[conversationId(data.conversationId), messageId(data.messageId)] as const;
/** Of a conversation of another host it may not be known here. */
function epochOf(conversations: EveryConversations, id: ConversationId) {
	const epoch = conversations.find(id)?.epoch;
	return epoch === undefined ? {} : { epoch };
}
const clientIdOf = ({ clientMessageId }: { clientMessageId?: string | undefined }) =>
	clientMessageId === undefined ? {} : { clientMessageId };
const fromOf = ({ from }: Actor) => (from === undefined ? {} : { from });
const done = (value: Awaitable<unknown>): Awaitable<undefined> => after(value, () => undefined);
