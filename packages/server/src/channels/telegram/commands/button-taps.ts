import type { CallbackQuery } from "grammy/types";
import type { PlanResponse } from "../../../core/asks/responses.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError, assertNever } from "../../../core/kernel/errors.ts";
import { conversationId as toConversationId, execId as toExecId, messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Jobs } from "../../../core/ports/shell.ts";
import type { BotClient } from "../api/bot-client.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { auditName, threadOf } from "../inbox/incoming.ts";
import type { Languages } from "../messages/languages.ts";
import type { Messages } from "../messages/messages.ts";
import { errorText } from "../messages/spoken-error.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { ButtonAction, Buttons } from "./buttons.ts";
import type { ChangeButtons } from "./change-buttons.ts";
import { settingOf } from "./choice-commands.ts";
import type { ConversationSwitch } from "./conversation-switch.ts";
import { LATER_MS } from "./inbox-command.ts";
import type { RuleCommands } from "./rule-commands.ts";
import type { ScheduleCommands } from "./schedule-commands.ts";
import type { TrustCommand } from "./trust-command.ts";

interface Reaction {
	text?: string;
	/** Shown as a dialog, for what must not be missed. */
	alert?: boolean;
	/** The buttons no longer mean anything. */
	clear?: boolean;
}

/** Where a button was tapped, and by whom. */
interface Tap {
	thread: ChatThread;
	by: string;
	/** Handles updates that were held until the person decided. */
	confirmStale: (updateIds: number[]) => void;
	/** What was asked for is done: may be called in the step that does it. */
	done: () => void;
}

/** A tap on a button: what it decides is done first, then Telegram is told; that Telegram refuses to hear it changes nothing. */
export function createButtonTaps(deps: {
	client: Pick<BotClient, "removeKeyboard" | "answerCallback">;
	buttons: Pick<Buttons, "find">;
	languages: Pick<Languages, "wordsFor">;
	perform: (tap: Tap, action: ButtonAction) => Promise<Reaction>;
	speaker: Speaker;
	logger: Logger;
}): (query: CallbackQuery, on: Pick<Tap, "confirmStale" | "done">) => Promise<void> {
	const { client, buttons, speaker } = deps;

	async function attempt(tap: Tap, action: ButtonAction): Promise<Reaction> {
		const words = speaker.words(tap.thread);
		try {
			return await deps.perform(tap, action);
		} catch (error) {
			if (error instanceof AppError) return { text: errorText(words, error), alert: true, clear: error.code === "request-not-found" };
			deps.logger.error({ err: error, action: action.kind }, "A button failed");
			return { text: words.failed, alert: true };
		}
	}

	return async (query, { confirmStale, done }) => {
		const { message, data } = query;
		// The message may be too old for Telegram to say where it stands.
		if (message === undefined) {
			const { text, alert } = expired(deps.languages.wordsFor(query.from.language_code));
			await client.answerCallback(query.id, { text, alert });
			return;
		}
		const thread = threadOf({ ...message, chat: message.chat });
		const action = data === undefined ? undefined : buttons.find(thread.chatId, data);
		const { text, alert, clear } =
			action === undefined
				? expired(speaker.words(thread))
				: await attempt({ thread, by: auditName(query.from), confirmStale, done }, action);
		// Before Telegram is told, which may take a minute: a process that dies meanwhile must not leave it to be done again.
		done();
		if (clear === true) void client.removeKeyboard(thread, message.message_id);
		await client.answerCallback(query.id, { text, alert });
	};
}

const expired = (words: Messages): Reaction => ({ text: words.buttonExpired, alert: true, clear: true });

/** What each button does. */
export function createButtonActions(deps: {
	conversations: Pick<
		EveryConversations,
		"abort" | "answer" | "decide" | "decidePlan" | "decideBudget" | "sendQueuedNow" | "dropQueued" | "killExec" | "update" | "inbox"
	>;
	clock: Pick<Clock, "now">;
	jobs: Pick<Jobs, "killJob" | "jobs">;
	outbox: Pick<Outbox, "resend">;
	inbox: Pick<Inbox, "done">;
	bindings: Pick<ChatBindings, "find">;
	switcher: Pick<ConversationSwitch, "mayShow" | "show">;
	stop: (thread: ChatThread) => Promise<string>;
	chooseAgent: (thread: ChatThread, id: string) => void;
	changes: ChangeButtons;
	schedules: Pick<ScheduleCommands, "perform">;
	trust: Pick<TrustCommand, "perform">;
	rules: Pick<RuleCommands, "takeBack">;
	speaker: Speaker;
}): (tap: Tap, action: ButtonAction) => Promise<Reaction> {
	const { conversations, speaker } = deps;
	return async ({ thread, by: from, confirmStale, done }, action) => {
		const words = speaker.words(thread);
		const who = (about: { conversationId: string }) =>
			({ conversationId: toConversationId(about.conversationId), by: "telegram", from }) as const;
		switch (action.kind) {
			case "stop":
				// The chat may show another conversation by now; this button is about its own.
				if (deps.bindings.find(thread)?.entry.conversationId === action.conversationId) return { text: await deps.stop(thread) };
				return {
					text: (await conversations.abort(toConversationId(action.conversationId))) ? words.stopped : words.nothingRuns,
					clear: true,
				};
			case "answer": {
				const { requestId, answer } = action;
				await conversations.answer({ ...who(action), requestId, answer, wasFreeform: false });
				return { text: words.answered };
			}
			case "answer-other":
				return { text: words.typeAnswer, alert: true };
			case "decide": {
				const { requestId, decision, remember } = action;
				await conversations.decide({ ...who(action), requestId, decision, remember });
				return { text: decision === "reject" ? words.denied : words.allowed };
			}
			case "plan":
				return decidePlan(conversations, words, { ...action, ...who(action) });
			case "budget": {
				const { requestId, decision, limit } = action;
				await conversations.decideBudget({ ...who(action), requestId, decision, limit });
				return { text: words.budgetDecided(decision) };
			}
			case "form": {
				const told = await deps.bindings.find(thread)?.view.tapForm(action, from);
				return told === undefined ? expired(words) : { text: told };
			}
			case "queue-now":
				await conversations.sendQueuedNow(toConversationId(action.conversationId), toMessageId(action.messageId));
				return { text: words.sendingNow };
			case "queue-drop":
				await conversations.dropQueued(toConversationId(action.conversationId), toMessageId(action.messageId));
				return { text: words.dropped };
			case "kill-exec": {
				const at = action.conversationId === undefined ? undefined : toConversationId(action.conversationId);
				return { text: (await conversations.killExec(toExecId(action.execId), at)) ? words.ending : words.hasEnded, clear: true };
			}
			case "kill-job":
				return endJob(deps.jobs, words, action);
			case "set-model":
				await conversations.update(toConversationId(action.conversationId), { model: action.model });
				speaker.say(thread, words.modelChanged(action.model), { silent: true });
				return { clear: true };
			case "set-choice":
				await conversations.update(toConversationId(action.conversationId), settingOf(action.setting, action.value));
				speaker.say(thread, words.choiceChanged(action.setting, action.name), { silent: true });
				return { clear: true };
			case "set-agent":
				deps.chooseAgent(thread, action.agent);
				return { clear: true };
			case "switch":
			case "inbox-open": {
				const id = toConversationId(action.conversationId);
				if (!deps.switcher.mayShow(thread, id)) return expired(words);
				await deps.switcher.show(thread, id, done);
				// The list of the inbox has buttons of others, and is drawn anew by itself.
				return { clear: action.kind === "switch" };
			}
			case "inbox-seen":
				await conversations.inbox.seen(action.itemId);
				return { text: words.inboxSeen };
			case "inbox-later":
				await conversations.inbox.snooze(action.itemId, deps.clock.now() + LATER_MS);
				return { text: words.inboxPutOff };
			case "schedule":
				return { text: await deps.schedules.perform(thread, action, from), clear: action.what !== "run" };
			case "trust":
				return { text: await deps.trust.perform(thread, action, from), alert: true, clear: true };
			case "rule-revoke":
				return { text: deps.rules.takeBack(thread, action, from) };
			case "change-diff":
				return { text: await deps.changes.diff({ ...action, thread, by: from, words }) };
			case "change-preview":
				return { text: await deps.changes.preview({ ...action, thread, by: from, words }) };
			case "change-undo":
			case "change-redo": {
				const kind = action.kind === "change-undo" ? "undo" : "redo";
				return { text: await deps.changes.run({ ...action, thread, by: from, words }, kind), clear: true };
			}
			case "resend":
				return { text: deps.outbox.resend(action.rowId) ? words.sendingAgain : words.sentAgain, clear: true };
			case "run-late":
				confirmStale(action.updateIds);
				return { text: words.runningNow, clear: true };
			case "drop-late":
				deps.inbox.done(...action.updateIds);
				return { text: words.dropped, clear: true };
			default:
				return assertNever(action);
		}
	};
}

async function decidePlan(
	conversations: Pick<EveryConversations, "decidePlan">,
	words: Messages,
	{ conversationId, requestId, action, by, from }: Omit<PlanResponse, "approved">,
): Promise<Reaction> {
	const approved = action !== undefined;
	await conversations.decidePlan({ conversationId, requestId, approved, action, by, ...(from === undefined ? {} : { from }) });
	return { text: words.planDecided({ approved, action }) };
}

async function endJob(
	jobs: Pick<Jobs, "killJob" | "jobs">,
	words: Messages,
	{ conversationId, bashId }: { conversationId: string; bashId: string },
): Promise<Reaction> {
	const id = toConversationId(conversationId);
	const { ok } = await jobs.killJob(id, bashId);
	if (ok) return { text: words.jobEnded(bashId) };
	const isRunning = (await jobs.jobs(id)).some((job) => job.bashId === bashId && job.status === "running");
	return { text: isRunning ? words.jobStillRuns(bashId) : words.hasEnded, alert: true };
}
