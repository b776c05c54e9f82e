import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { PermissionRequest, Question } from "@rightseat/protocol/model/ask";
import type { RunningCommand } from "@rightseat/protocol/model/command";
import type { Message } from "@rightseat/protocol/model/message";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { type ActiveConversations, shownTurn } from "../active/active-conversations.ts";
import { fitQueue, toQueueItem } from "../commands/announcements.ts";
import { toContextItem } from "../commands/bash-context.ts";
import { fit, fitList, jsonBytes, newest, type PreviewLevel } from "../kernel/fit.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import { previewMessage, previewTurn } from "./preview-answer.ts";

/** The newest messages that a snapshot carries; older ones are fetched page by page. */
const SNAPSHOT_MESSAGES = 40;
/** The whole frame, measured: below what one reader may have waiting, whatever a turn, a queue or an answer became. */
export const MAX_SNAPSHOT_BYTES = 1_048_576;
/** What each part may take of it; the messages get what the others and the queue leave, at least 240 KB, or 140 KB beside a plan. */
const SHARES = { turn: 262_144, permissions: 131_072, questions: 65_536, commands: 131_072, context: 65_536 };
/** Names, ids and numbers around all that. */
const ENVELOPE_BYTES = 8_192;

interface SnapshotDeps {
	store: Pick<Store, "messages" | "todos">;
	active: Pick<ActiveConversations, "find">;
}

type Snapshot = ServerFrameOf<"copilot:snapshot">;

/** Everything a reader needs to draw the conversation as it stands at its newest event; what is too large is cut and marked. */
export function snapshotOf(deps: SnapshotDeps & { redactor: Pick<Redactor, "value"> }, row: ConversationRow): Snapshot {
	const { redactor } = deps;
	const { messages } = deps.store;
	const live = deps.active.find(row.id);
	const shown = shownTurn(live);
	// Measured after redaction, which may make a text longer.
	const turn = shown === undefined ? undefined : fit(redactor.value(shown), SHARES.turn, previewTurn);
	const questions = [...(live?.questions.values() ?? [])].map(({ settle: _, ...question }) => question);
	const permissions = [...(live?.permissions.values() ?? [])].map(({ settle: _, offer: __, ...permission }) => permission);
	const plans = [...(live?.plans.values() ?? [])].map(({ settle: _, askedAt: __, ...plan }) => plan);
	const budgets = [...(live?.budgets.values() ?? [])].map(({ settle: _, askedAt: __, ...budget }) => budget);
	const forms = [...(live?.forms.values() ?? [])].map(({ settle: _, fields: _f, bytes: _b, ...form }) => form);
	const todos = deps.store.todos.find(row.id);
	const running = [...(live?.left?.commands.values() ?? []), ...(live?.commands.values() ?? [])];
	const commands = running.map(({ execId, command, cwd, startedAt, output, clientMessageId }) => ({
		...{ execId, command, cwd, startedAt, output },
		...(clientMessageId === undefined ? {} : { clientMessageId }),
	}));
	const rest = {
		conversationId: row.id,
		epoch: row.epoch,
		seq: row.headSeq,
		status: turn === undefined ? row.status : ("streaming" as const),
		...(turn === undefined ? {} : { turn }),
		queue: fitQueue(redactor.value(messages.queued(row.id).map(toQueueItem))),
		questions: fitList(redactor.value(questions), SHARES.questions, previewQuestion),
		permissions: fitList(redactor.value(permissions), SHARES.permissions, previewPermission),
		// One at most, and bounded: it is here whole.
		...(plans.length === 0 ? {} : { plans: redactor.value(plans) }),
		// One at most, and of numbers only.
		...(budgets.length === 0 ? {} : { budgets }),
		// Both are bounded where they come from.
		...(forms.length === 0 ? {} : { forms: redactor.value(forms) }),
		...(todos === undefined ? {} : { todos: redactor.value(todos) }),
		commands: fitList(redactor.value(commands), SHARES.commands, previewCommand),
		context: fitList(redactor.value(messages.pendingContext(row.id).map(toContextItem)), SHARES.context, (item) => item),
	};
	const room = MAX_SNAPSHOT_BYTES - ENVELOPE_BYTES - jsonBytes(rest);
	const page = messages.page(row.id, { limit: SNAPSHOT_MESSAGES, maxBytes: room });
	const kept = newestWithin(redactor.value(page.messages), room);
	const nextCursor = kept.length < page.messages.length ? kept[0]?.id : page.nextCursor;
	return { type: "copilot:snapshot", data: { ...rest, messages: kept, ...(nextCursor === undefined ? {} : { nextCursor }) } };
}

/** How a conversation stands, first of all to a reader who comes. */
export function statusFrame(deps: SnapshotDeps, row: ConversationRow, mode: "delta" | "snapshot"): ServerFrameOf<"copilot:stream-status"> {
	const turn = shownTurn(deps.active.find(row.id));
	const data = { conversationId: row.id, epoch: row.epoch, headSeq: row.headSeq, mode };
	if (turn === undefined) return { type: "copilot:stream-status", data: { ...data, status: row.status } };
	const { messageId, userMessageId, startedAt } = turn;
	return { type: "copilot:stream-status", data: { ...data, status: "streaming", turn: { messageId, userMessageId, startedAt } } };
}

/** The newest messages that fit, at least one: of that as much as fits. */
function newestWithin(messages: readonly Message[], maxBytes: number): Message[] {
	let left = maxBytes;
	const first = messages.findLastIndex((message) => {
		left -= jsonBytes(message) + 1;
		return left < 0;
	});
	const kept = messages.slice(first + 1);
	const last = messages.at(-1);
	return kept.length > 0 || last === undefined ? kept : [fit(last, maxBytes, previewMessage)];
}

function previewQuestion(asked: Question, level: PreviewLevel): Question {
	const { question, choices } = asked;
	return {
		...asked,
		question: cutText(question, level.field),
		...(choices === undefined ? {} : { choices: newest(choices, level.items).map((choice) => cutText(choice, level.field)) }),
		...(question.length > level.field ? { truncated: question.length } : {}),
	};
}

function previewPermission(asked: PermissionRequest, level: PreviewLevel): PermissionRequest {
	const { remember: _, ...request } = asked;
	const { summary, detail } = request;
	return {
		...request,
		summary: cutText(summary, level.field),
		...(detail === undefined ? {} : { detail: cutText(detail, level.field) }),
		// Whoever is asked must know that this is not all of it.
		...((detail ?? summary).length > level.field ? { truncated: (detail ?? summary).length } : {}),
	};
}

function previewCommand(running: RunningCommand, level: PreviewLevel): RunningCommand {
	const { command, output } = running;
	return {
		...running,
		command: cutText(command, level.field),
		output: cutTextTail(output, level.field),
		...(command.length > level.field ? { truncated: command.length } : {}),
	};
}
