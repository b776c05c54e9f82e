import type { EventData, LogEvent } from "../events/event.ts";
import type { ServerFrameOf } from "../frames/server.ts";
import type { PermissionRequest, PlanRequest, Question } from "../model/ask.ts";
import type { BudgetRequest } from "../model/budget.ts";
import type { ContextItem, RunningCommand } from "../model/command.ts";
import type { FormRequest } from "../model/form.ts";
import type { Job } from "../model/job.ts";
import type { Message, UserMessage } from "../model/message.ts";
import type { QueueItem } from "../model/queue.ts";
import type { TodoList } from "../model/todo.ts";
import type { RunningTurn, TurnError, TurnPart, Usage } from "../model/turn.ts";
import type { StreamStatus } from "../model/vocabulary.ts";
import { cutTextTail } from "../text.ts";
import { foldChanges } from "./changes.ts";
import { beginTurn, finishTurn, foldTurn, pickError, pickUsage } from "./turn.ts";

/** Output of one running command that a reader keeps: its end. The result, when it has ended, holds the beginning. */
export const MAX_COMMAND_OUTPUT_CHARS = 32_768;
/** Background jobs remembered per conversation. */
export const MAX_JOBS = 100;

/** A `!cmd` as a reader shows it. */
export interface ShownCommand extends RunningCommand {
	/** Ended, and its stored message has not arrived yet. */
	done?: { exitCode: number | null; truncated: boolean; durationMs: number };
}

/** A conversation as every reader shows it. */
export interface ConversationState {
	status: StreamStatus;
	/** Stored messages, oldest first, without queued prompts. */
	messages: readonly Message[];
	turn: RunningTurn | undefined;
	queue: readonly QueueItem[];
	questions: readonly Question[];
	permissions: readonly PermissionRequest[];
	plans: readonly PlanRequest[];
	budgets: readonly BudgetRequest[];
	forms: readonly FormRequest[];
	/** The agent's to-do list, also between turns. */
	todos: TodoList | undefined;
	commands: readonly ShownCommand[];
	context: readonly ContextItem[];
	jobs: readonly Job[];
	/** What the newest answer said about tokens and the context window. */
	usage: Usage | undefined;
	/** An error that belongs to no turn. */
	error: TurnError | undefined;
}

/** A conversation at one seq, for a reader that cannot be caught up event by event. */
export type Snapshot = ServerFrameOf<"copilot:snapshot">["data"];

/** Nothing has happened yet. */
export function emptyState(): ConversationState {
	return {
		status: "idle",
		messages: [],
		turn: undefined,
		queue: [],
		questions: [],
		permissions: [],
		plans: [],
		budgets: [],
		forms: [],
		todos: undefined,
		commands: [],
		context: [],
		jobs: [],
		usage: undefined,
		error: undefined,
	};
}

/** The state at a snapshot. Jobs are not part of one: the caller keeps the ones it knows. */
export function fromSnapshot(data: Snapshot): ConversationState {
	const { messages } = data;
	return {
		status: data.status,
		messages,
		turn: data.turn,
		queue: data.queue,
		questions: data.questions,
		permissions: data.permissions,
		plans: data.plans ?? [],
		budgets: data.budgets ?? [],
		forms: data.forms ?? [],
		todos: data.todos,
		commands: data.commands,
		context: data.context,
		jobs: [],
		usage: data.turn?.usage ?? lastUsage(messages),
		error: undefined,
	};
}

/** The conversation after one more event. Pure and without a clock; that the event is the next one is the caller's business. */
export function foldConversation<S extends ConversationState>(state: S, event: LogEvent): S {
	switch (event.type) {
		case "copilot:stream-status":
			return begin(state, event.data);
		case "copilot:user_message": {
			const { messageId, content, metadata, createdAt } = event.data;
			return placeUserMessage(withTurn(state, event), { id: messageId, role: "user", content, metadata, createdAt });
		}
		case "copilot:message_updated":
			return updateUserMessage(withTurn(state, event), event.data);
		case "copilot:message_removed":
			return { ...state, messages: withoutMessage(state.messages, event.data.messageId) };
		case "copilot:usage": {
			const next = withTurn(state, event);
			return { ...next, usage: next.turn?.usage ?? pickUsage(event.data) };
		}
		case "copilot:error":
			return state.turn === undefined ? { ...state, error: pickError(event.data) } : withTurn(state, event);
		case "copilot:user_input_request":
			return { ...withTurn(state, event), questions: withRequest(state.questions, event.data) };
		case "copilot:permission_request":
			return { ...withTurn(state, event), permissions: withRequest(state.permissions, event.data) };
		case "copilot:user_input_resolved":
			return { ...withTurn(state, event), questions: without(state.questions, event.data.requestId) };
		case "copilot:permission_resolved":
			return { ...withTurn(state, event), permissions: without(state.permissions, event.data.requestId) };
		case "copilot:plan_request":
			return { ...withTurn(state, event), plans: withRequest(state.plans, event.data) };
		case "copilot:plan_resolved":
			return { ...withTurn(state, event), plans: without(state.plans, event.data.requestId) };
		case "copilot:budget_request":
			return { ...withTurn(state, event), budgets: withRequest(state.budgets, event.data) };
		case "copilot:budget_resolved":
			return { ...withTurn(state, event), budgets: without(state.budgets, event.data.requestId) };
		case "copilot:form_request":
			return { ...withTurn(state, event), forms: withRequest(state.forms, event.data) };
		case "copilot:form_resolved":
			return { ...withTurn(state, event), forms: without(state.forms, event.data.requestId) };
		case "copilot:todos":
			return { ...state, todos: bare(event.data) };
		case "copilot:queue":
			return { ...state, queue: event.data.items };
		case "copilot:idle":
			return end(state, event.data);
		case "bash:start": {
			const { execId, command, cwd, startedAt, clientMessageId } = event.data;
			const begun = { execId, command, cwd, startedAt, output: "", ...(clientMessageId === undefined ? {} : { clientMessageId }) };
			return { ...state, commands: [...state.commands.filter((known) => known.execId !== execId), begun] };
		}
		case "bash:output":
			return onCommand(state, event.data.execId, (command) => ({
				...command,
				output: cutTextTail(command.output + event.data.output, MAX_COMMAND_OUTPUT_CHARS),
			}));
		case "bash:done":
			return endCommand(state, event.data);
		case "bash:context":
			return { ...state, context: event.data.items };
		case "bash:job": {
			const { job } = event.data;
			return { ...state, jobs: [...state.jobs.filter((known) => known.bashId !== job.bashId), job].slice(-MAX_JOBS) };
		}
		case "copilot:changes":
			return { ...withTurn(state, event), messages: foldChanges(state.messages, event.data) };
		default:
			return withTurn(state, event);
	}
}

/** What the newest answer said about tokens and the context window. */
export function lastUsage(messages: readonly Message[]): Usage | undefined {
	const answer = messages.findLast((message) => message.role === "assistant" && message.metadata.usage !== undefined);
	return answer?.role === "assistant" ? answer.metadata.usage : undefined;
}

function begin<S extends ConversationState>(state: S, { turn, status }: EventData<"copilot:stream-status">): S {
	if (turn === undefined || state.turn?.messageId === turn.messageId) return { ...state, status };
	return { ...state, status, error: undefined, turn: beginTurn(turn) };
}

function withTurn<S extends ConversationState>(state: S, event: LogEvent): S {
	return state.turn === undefined ? state : { ...state, turn: foldTurn(state.turn, event) };
}

function updateUserMessage<S extends ConversationState>(state: S, data: EventData<"copilot:message_updated">): S {
	const { messageId, content, metadata, createdAt } = data;
	const known = state.messages.find((message) => message.id === messageId);
	if (known?.role === "user") return placeUserMessage(state, { ...known, content, metadata });
	// A message beyond the pages that this reader has loaded; only a prompt that leaves the queue becomes one here.
	if (metadata.delivery !== "taken" && metadata.delivery !== "steered") return state;
	const since = createdAt ?? state.turn?.startedAt;
	return since === undefined ? state : placeUserMessage(state, { id: messageId, role: "user", content, metadata, createdAt: since });
}

/** Until it is taken up a queued prompt stands in the queue only; one that could not be steered in goes back there. */
function placeUserMessage<S extends ConversationState>(state: S, message: UserMessage): S {
	if (message.metadata.delivery === "queued")
		return { ...state, messages: notSteered(withoutMessage(state.messages, message.id), message.id) };
	const { execId } = message.metadata;
	return {
		...state,
		messages: withMessage(state.messages, message),
		commands: execId === undefined ? state.commands : state.commands.filter((item) => item.execId !== execId),
	};
}

/** Nor does it stand in an answer that had ended before it was refused. */
function notSteered(messages: readonly Message[], id: string): readonly Message[] {
	const isIt = (part: TurnPart) => part.kind === "steer" && part.messageId === id;
	if (!messages.some((message) => message.role === "assistant" && message.metadata.parts.some(isIt))) return messages;
	return messages.map((message) => {
		if (message.role !== "assistant" || !message.metadata.parts.some(isIt)) return message;
		return { ...message, metadata: { ...message.metadata, parts: message.metadata.parts.filter((part) => !isIt(part)) } };
	});
}

function end<S extends ConversationState>(state: S, data: EventData<"copilot:idle">): S {
	const { turn } = state;
	const { outcome, createdAt, model, durationMs } = data;
	const status: StreamStatus = outcome === "completed" || outcome === "aborted" ? "completed" : "error";
	const ended = { ...state, status, turn: undefined, questions: [], permissions: [], plans: [], budgets: [], forms: [] };
	if (turn === undefined) return ended;
	const message = finishTurn(turn, { outcome, createdAt: createdAt ?? turn.startedAt, model, durationMs });
	return { ...ended, messages: withMessage(state.messages, message) };
}

function endCommand<S extends ConversationState>(state: S, data: EventData<"bash:done">): S {
	const { execId, exitCode, truncated, durationMs, messageId } = data;
	const isStored = messageId === undefined || state.messages.some((message) => message.id === messageId);
	if (isStored) return { ...state, commands: state.commands.filter((command) => command.execId !== execId) };
	return onCommand(state, execId, (command) => ({ ...command, done: { exitCode, truncated, durationMs } }));
}

function onCommand<S extends ConversationState>(state: S, execId: string, change: (command: ShownCommand) => ShownCommand): S {
	return { ...state, commands: state.commands.map((command) => (command.execId === execId ? change(command) : command)) };
}

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
	const index = messages.findIndex((item) => item.id === message.id);
	return index < 0 ? [...messages, message] : messages.with(index, message);
}

function withoutMessage(messages: readonly Message[], id: string): readonly Message[] {
	return messages.some((message) => message.id === id) ? messages.filter((message) => message.id !== id) : messages;
}

function without<T extends { requestId: string }>(requests: readonly T[], requestId: string): T[] {
	return requests.filter((request) => request.requestId !== requestId);
}

function withRequest<T extends { requestId: string }>(requests: readonly T[], data: T): T[] {
	return [...without(requests, data.requestId), bare(data)];
}

/** Without its place in the log, which a frame carries with it. */
function bare<T extends object>(data: T): T {
	const { conversationId: _of, epoch: _in, seq: _at, ...rest } = Object(data);
	return rest;
}
