import type { AssistantMessage, Message, UserMessage } from "@rightseat/protocol/entities";
import type { EventFrame } from "@rightseat/protocol/server-frames";
import type { StreamStatusFrame } from "./apply-frame.ts";
import type { ConversationView, LiveCommand, SettledRequest } from "./conversation-view.ts";
import { addUsage, appendReasoning, appendText, endTool, newTurn, openPart, reset, setText, startTool, toolOutput } from "./live-turn.ts";

/** Output of one running command kept on the page; the whole is on the server. */
export const MAX_LIVE_OUTPUT_CHARS = 60_000;
/** Background jobs remembered per conversation. */
export const MAX_JOBS = 100;

/** The view after one event; position checks are the caller's. */
export function reduceEvent(view: ConversationView, event: EventFrame | StreamStatusFrame, now: number): ConversationView {
	switch (event.type) {
		case "copilot:stream-status": {
			const { turn, status } = event.data;
			if (turn === undefined || view.turn?.messageId === turn.messageId) return { ...view, status };
			return { ...view, status, error: undefined, turn: newTurn(turn, now) };
		}
		case "copilot:user_message": {
			const { messageId, content, metadata, createdAt } = event.data;
			return addUserMessage(view, { id: messageId, role: "user", content, metadata, createdAt }, now);
		}
		case "copilot:message_updated": {
			const { messageId, content, metadata } = event.data;
			const known = view.waiting.find((message) => message.id === messageId) ?? view.messages.find((message) => message.id === messageId);
			if (known?.role === "user") return addUserMessage(view, { ...known, content, metadata }, now);
			// A snapshot names queued prompts only in its queue: one of them is taken up here without having been a message yet.
			if (metadata.delivery !== "taken" && metadata.delivery !== "steered") return view;
			return addUserMessage(view, { id: messageId, role: "user", content, metadata, createdAt: new Date(now).toISOString() }, now);
		}
		case "copilot:message_removed":
			return {
				...view,
				messages: view.messages.filter((message) => message.id !== event.data.messageId),
				waiting: view.waiting.filter((message) => message.id !== event.data.messageId),
			};
		case "copilot:delta":
			return onTurn(view, now, (turn) => appendText(turn, event.data, now));
		case "copilot:message":
			return onTurn(view, now, (turn) => setText(turn, event.data, now));
		case "copilot:reasoning_delta":
			return onTurn(view, now, (turn) => appendReasoning(turn, event.data, now));
		case "copilot:reset":
			return onTurn(view, now, (turn) => reset(turn, event.data));
		case "copilot:tool_start":
			return onTurn(view, now, (turn) => startTool(turn, event.data, now));
		case "copilot:tool_output":
			return onTurn(view, now, (turn) => toolOutput(turn, event.data));
		case "copilot:tool_end":
			return onTurn(view, now, (turn) => endTool(turn, event.data, now));
		case "copilot:notice":
			return onTurn(view, now, (turn) => ({ ...turn, notice: { code: event.data.code, message: event.data.message } }));
		case "copilot:usage": {
			const { conversationId: _id, epoch: _epoch, seq: _seq, ...usage } = event.data;
			const next = { ...view, usage };
			return view.turn === undefined ? next : { ...next, turn: { ...view.turn, usage: addUsage(view.turn.usage, usage) } };
		}
		case "copilot:user_input_request": {
			const { conversationId: _id, epoch: _epoch, seq: _seq, ...question } = event.data;
			return { ...view, questions: [...view.questions.filter((item) => item.requestId !== question.requestId), question] };
		}
		case "copilot:user_input_resolved": {
			const asked = view.questions.find((item) => item.requestId === event.data.requestId);
			const next = { ...view, questions: view.questions.filter((item) => item !== asked) };
			return asked === undefined
				? next
				: settle(next, { ...pickSettled(event.data), kind: "question", text: asked.question, answer: event.data.answer });
		}
		case "copilot:permission_request": {
			const { conversationId: _id, epoch: _epoch, seq: _seq, ...request } = event.data;
			return { ...view, permissions: [...view.permissions.filter((item) => item.requestId !== request.requestId), request] };
		}
		case "copilot:permission_resolved": {
			const asked = view.permissions.find((item) => item.requestId === event.data.requestId);
			const next = { ...view, permissions: view.permissions.filter((item) => item !== asked) };
			return asked === undefined
				? next
				: settle(next, { ...pickSettled(event.data), kind: "permission", text: asked.summary, answer: event.data.decision });
		}
		case "copilot:queue":
			return { ...view, queue: event.data.items };
		case "copilot:error": {
			const { code, message, retryable } = event.data;
			const error = retryable === undefined ? { code, message } : { code, message, retryable };
			return view.turn === undefined ? { ...view, error } : { ...view, turn: { ...view.turn, error } };
		}
		case "copilot:idle":
			return endTurn(view, event.data, now);
		case "bash:start": {
			const { execId, command, cwd, startedAt, clientMessageId } = event.data;
			const begun = { execId, command, cwd, startedAt, output: "", ...(clientMessageId === undefined ? {} : { clientMessageId }) };
			return { ...view, commands: [...view.commands.filter((item) => item.execId !== execId), begun] };
		}
		case "bash:output":
			return onCommand(view, event.data.execId, (command) => ({
				...command,
				output: (command.output + event.data.output).slice(-MAX_LIVE_OUTPUT_CHARS),
			}));
		case "bash:done": {
			const { execId, exitCode, truncated, durationMs, messageId } = event.data;
			const stored = view.messages.some((message) => message.id === messageId);
			if (stored || messageId === undefined) return { ...view, commands: view.commands.filter((item) => item.execId !== execId) };
			return onCommand(view, execId, (command) => ({ ...command, done: { exitCode, truncated, durationMs } }));
		}
		case "bash:context":
			return { ...view, context: event.data.items };
		case "bash:job": {
			const { job } = event.data;
			return { ...view, jobs: [...view.jobs.filter((item) => item.bashId !== job.bashId), job].slice(-MAX_JOBS) };
		}
		default:
			return unreachable(event);
	}
}

function addUserMessage(view: ConversationView, message: UserMessage, now: number): ConversationView {
	const waiting = view.waiting.filter((item) => item.id !== message.id);
	if (message.metadata.delivery === "queued") {
		const place = view.waiting.findIndex((item) => item.id === message.id);
		return {
			...view,
			// A prompt that could not be steered in goes back to the queue.
			messages: view.messages.filter((item) => item.id !== message.id),
			waiting: place < 0 ? [...waiting, message] : view.waiting.with(place, message),
		};
	}
	const { execId } = message.metadata;
	const next = {
		...view,
		waiting,
		messages: withMessage(view.messages, message),
		commands: execId === undefined ? view.commands : view.commands.filter((item) => item.execId !== execId),
	};
	if (message.metadata.delivery !== "steered" || view.turn === undefined) return next;
	return { ...next, turn: openPart(view.turn, { kind: "steer", messageId: message.id }, now) };
}

function endTurn(view: ConversationView, data: Extract<EventFrame, { type: "copilot:idle" }>["data"], now: number): ConversationView {
	const status = data.outcome === "completed" || data.outcome === "aborted" ? "completed" : "error";
	const settled = { ...view, status, turn: undefined, questions: [], permissions: [] } as const;
	const { turn } = view;
	if (turn === undefined) return settled;
	const empty = turn.parts.length === 0 && turn.error === undefined && data.outcome === "completed";
	if (empty && data.messageId === undefined) return settled;
	const texts: string[] = [];
	for (const part of turn.parts) if (part.kind === "text") texts.push(part.content);
	const message: AssistantMessage = {
		id: data.messageId ?? turn.messageId,
		role: "assistant",
		content: texts.join("\n\n"),
		createdAt: new Date(now).toISOString(),
		metadata: {
			outcome: data.outcome,
			tools: turn.tools,
			parts: turn.parts,
			durationMs: Math.max(0, now - Date.parse(turn.startedAt)),
			inReplyTo: turn.userMessageId,
			...(turn.usage === undefined ? {} : { usage: turn.usage, model: turn.usage.model }),
			...(turn.error === undefined ? {} : { error: turn.error }),
		},
	};
	return { ...settled, messages: withMessage(view.messages, message) };
}

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
	const index = messages.findIndex((item) => item.id === message.id);
	return index < 0 ? [...messages, message] : messages.with(index, message);
}

function onTurn(
	view: ConversationView,
	now: number,
	change: (turn: NonNullable<ConversationView["turn"]>) => NonNullable<ConversationView["turn"]>,
) {
	const turn =
		view.turn ??
		newTurn({ messageId: `live-${view.epoch}-${view.lastSeq}`, userMessageId: "", startedAt: new Date(now).toISOString() }, now);
	return { ...view, turn: change(turn) };
}

function onCommand(view: ConversationView, execId: string, change: (command: LiveCommand) => LiveCommand): ConversationView {
	return { ...view, commands: view.commands.map((command) => (command.execId === execId ? change(command) : command)) };
}

function pickSettled(data: Pick<SettledRequest, "requestId" | "outcome" | "by">) {
	return { requestId: data.requestId, outcome: data.outcome, by: data.by };
}

function settle(view: ConversationView, request: Omit<SettledRequest, "afterParts">): ConversationView {
	if (view.turn === undefined) return view;
	return { ...view, turn: { ...view.turn, settled: [...view.turn.settled, { ...request, afterParts: view.turn.parts.length }] } };
}

function unreachable(event: never): never {
	throw new Error(`Unexpected event ${JSON.stringify(event)}`);
}
