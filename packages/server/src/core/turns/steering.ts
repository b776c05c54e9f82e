import type { UserMessage } from "@rightseat/protocol/model/message";
import type { ActiveTurn } from "../active/active-conversations.ts";
import { retryUntilStored } from "../active/storage-retry.ts";
import type { Announcements } from "../commands/announcements.ts";
import type { PendingBashContext } from "../commands/pending-bash-context.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { EventLog } from "../log/event-log.ts";
import type { MessageStore, Store } from "../ports/store.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { expandCommand } from "./expand-command.ts";
import { type SteerInputDeps, type TakenInput, takeSteerInput } from "./turn-input.ts";

/** Prompts that join the running turn. */
export interface Steering {
	/** What the agent gets for this prompt. Inside the commit that stores it as steered. */
	take(id: ConversationId, message: UserMessage): TakenInput;
	/** Hands a stored prompt to the running turn when it is durable; if that turn can no longer take it, the prompt is the next in the queue instead, from the commit that ends the turn. */
	steer(turn: ActiveTurn, prompt: { conversationId: ConversationId; messageId: string; taken: TakenInput }): void;
}

/** What cannot be steered in becomes the next in the queue. */
export function createSteering(
	deps: SteerInputDeps & {
		store: Pick<Store, "messages" | "attachments" | "durable">;
		log: Pick<EventLog, "commit">;
		clock: Clock;
		logger: Logger;
		announce: Pick<Announcements, "updated" | "queue">;
		bashContext: Pick<PendingBashContext, "take" | "giveBack">;
		dispatcher: Pick<Dispatcher, "resume">;
		budgets: Pick<Budgets, "pass">;
	},
): Steering {
	const { store } = deps;

	function queueInstead(turn: ActiveTurn, id: ConversationId, messageId: MessageId, taken: TakenInput): void {
		deps.log.commit(() => {
			deps.bashContext.giveBack(id, taken.carried.contextIds);
			setDelivery(store.messages, id, messageId, "queued");
			store.messages.orderQueue(id, [messageId]);
			// The turn may have ended and been stored meanwhile: it must not be drawn there.
			store.messages.takeSteerOut(id, turn.messageId, messageId);
			deps.announce.updated(id, messageId);
			deps.announce.queue(id);
		});
	}

	return {
		take: (id, message) => takeSteerInput(deps, id, message),
		steer(turn, { conversationId: id, messageId: given, taken }) {
			const messageId = toMessageId(given);
			const queue = () => queueInstead(turn, id, messageId, taken);
			let isGiven = false;
			turn.carried.contextIds.push(...taken.carried.contextIds);
			turn.unheard.set(messageId, queue);
			store
				.durable()
				.then(() => {
					const hand = async () => {
						const session = turn.steerable();
						if (session === undefined) throw new AppError("not-running", "No turn runs");
						const input = await expandCommand(session, taken.input, deps.redactor);
						if (!turn.unheard.delete(messageId)) throw new AppError("not-running", "The turn has ended");
						isGiven = true;
						await session.steer(input);
					};
					// It makes the agent call its model once more.
					return deps.budgets.pass(id, turn.signal)?.then(hand) ?? hand();
				})
				.catch(async (error: unknown) => {
					deps.logger.info({ err: error, conversationId: id }, "A prompt could not be steered in; queued instead");
					// The agent refused it: whichever comes first, this or the end of the turn, queues it.
					if (isGiven) turn.unheard.set(messageId, queue);
					// A disk that refuses now must not leave it marked as steered: then it would never run.
					await retryUntilStored(deps, () => {
						if (turn.unheard.has(messageId)) queue();
						turn.unheard.delete(messageId);
					});
					deps.dispatcher.resume(id);
				});
		},
	};
}

/** How a prompt is delivered, as everybody sees it. */
export function setDelivery(
	messages: Pick<MessageStore, "find" | "update">,
	id: ConversationId,
	messageId: MessageId,
	delivery: "queued" | "steered",
): void {
	const message = messages.find(id, messageId);
	if (message?.role === "user") messages.update(id, messageId, { metadata: { ...message.metadata, delivery } });
}
