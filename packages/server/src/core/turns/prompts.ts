import { MAX_ATTACHMENTS, MAX_PROMPT_CHARS, MAX_QUEUE_CHARS, MAX_QUEUE_ITEMS } from "@rightseat/protocol/limits";
import type { Attachment, Message, UserMessage, UserMetadata } from "@rightseat/protocol/model/message";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import type { LiveTurn } from "../active/active-conversations.ts";
import type { CoreContext } from "../active/core-context.ts";
import { whenStorable } from "../active/storage-retry.ts";
import { announceUpdate, toQueueItem } from "../commands/announcements.ts";
import { giveBashContextBack } from "../commands/pending-bash-context.ts";
import { titleFrom } from "../commands/title.ts";
import { AppError } from "../kernel/errors.ts";
import { fingerprint } from "../kernel/fingerprint.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import type { PromptReceipt, PromptRequest } from "./prompt-request.ts";
import type { TurnEnd } from "./turn-end.ts";
import { type TakenInput, takeSteerInput } from "./turn-input.ts";
import type { BegunTurn, Turns } from "./turns.ts";

export interface Prompts {
	prompt(request: PromptRequest): PromptReceipt;
	queue(id: ConversationId): QueueItem[];
	editQueued(id: ConversationId, message: MessageId, content: string): void;
	moveQueued(id: ConversationId, message: MessageId, toIndex: number): void;
	dropQueued(id: ConversationId, message: MessageId): void;
	sendQueuedNow(id: ConversationId, message: MessageId): void;
	/** A turn ended: what waits may go on. */
	turnEnded(id: ConversationId, end: TurnEnd): void;
}

/** Prompts: stored first, then started, queued or steered. One turn per conversation, a bounded number in all. */
export function createPrompts(core: CoreContext, turns: () => Turns): Prompts {
	/** Conversations whose queue may go on, in the order in which they became ready. After a failed turn or a restart a queue rests until a person acts. */
	const ready = new Set<ConversationId>();

	function prompt(given: PromptRequest): PromptReceipt {
		const request = { ...given, prompt: core.redactor.text(given.prompt) };
		const { conversationId: id, clientMessageId } = request;
		const row = core.accepting(id);
		const attachments = findAttachments(core, request.attachments ?? []);
		if (request.prompt.trim() === "" && attachments.length === 0)
			throw new AppError("empty-prompt", "The message is empty. Type something first.");
		if (request.prompt.length > MAX_PROMPT_CHARS) throw tooLong(request.prompt.length);
		const payloadHash = fingerprint(JSON.stringify([request.prompt, request.attachments ?? []]));
		const known = clientMessageId === undefined ? undefined : findSent(core, id, clientMessageId);
		if (known !== undefined) return repeated(known, payloadHash);

		turns().settleLeftOpen(id);
		const turn = core.live.find(id)?.turn;
		const steering = turn?.session !== undefined && request.mode === "immediate" && turn.forcedEnd === undefined;
		const waiting = !steering && (turn !== undefined || noSlot() || core.store.messages.queued(id).length > 0);
		if (waiting) checkRoom(queue(id), request.prompt);

		const delivery = steering ? "steered" : waiting ? "queued" : "taken";
		const metadata: UserMetadata = {
			origin: request.origin,
			...(attachments.length === 0 ? {} : { attachments }),
			...(clientMessageId === undefined ? {} : { clientMessageId }),
			delivery,
		};
		const stored = core.log.commit((): { message: Message; begun?: BegunTurn; taken?: TakenInput } => {
			const message = core.store.messages.addMessage(id, {
				role: "user",
				content: request.prompt,
				metadata,
				createdAt: core.clock.now(),
				payloadHash,
				...(clientMessageId === undefined ? {} : { clientMessageId }),
			});
			for (const attachment of attachments) core.store.attachments.bind(attachment.id, id);
			core.store.conversations.update(id, {
				updatedAt: core.clock.now(),
				...(row.title === "" ? { title: titleFrom(request.prompt) } : {}),
			});
			announce(id, message);
			if (waiting) announceQueue(id);
			if (message.role !== "user" || delivery === "queued") return { message };
			if (delivery === "steered") return { message, taken: takeSteerInput(core, id, message) };
			return { message, begun: turns().begin(id, message) };
		});
		if (stored.begun !== undefined) turns().start(stored.begun);
		else core.changed(id);
		if (turn !== undefined && stored.taken !== undefined) steer(id, turn, toMessageId(stored.message.id), stored.taken);
		if (waiting && turn === undefined) {
			ready.add(id);
			pump();
		}
		return { messageId: toMessageId(stored.message.id), duplicate: false, delivery: delivery === "taken" ? "started" : delivery };
	}

	function announce(id: ConversationId, message: Message): void {
		if (message.role !== "user") return;
		const { id: messageId, content, metadata, createdAt } = message;
		core.log.append(id, { type: "copilot:user_message", data: { messageId, content, metadata, origin: metadata.origin, createdAt } });
	}

	function announceQueue(id: ConversationId): void {
		core.log.append(id, { type: "copilot:queue", data: { items: queue(id) } });
	}

	function queue(id: ConversationId): QueueItem[] {
		return core.store.messages.queued(id).map(toQueueItem);
	}

	function noSlot(): boolean {
		return core.live.withTurn().length >= core.config.maxTurns;
	}

	/** Starts what may start, oldest wish first. */
	function pump(): void {
		for (const id of [...ready]) {
			if (noSlot()) return;
			if (core.live.find(id)?.turn !== undefined) continue;
			ready.delete(id);
			if (core.closing.has(id)) continue;
			const next = core.store.messages.queued(id)[0];
			if (next?.role !== "user") continue;
			try {
				turns().settleLeftOpen(id);
				const begun = core.log.commit(() => {
					core.store.messages.moveToEnd(id, toMessageId(next.id));
					const begunTurn = turns().begin(id, next);
					announceUpdate(core, id, toMessageId(next.id));
					announceQueue(id);
					return begunTurn;
				});
				turns().start(begun);
			} catch (error) {
				// The prompt is still queued; it goes on when a person acts or the next turn ends.
				core.logger.error({ err: error, conversationId: id }, "A queued prompt could not be taken up");
			}
		}
	}

	/** Hands a stored prompt to the running turn; if that turn cannot take it any more, the prompt waits in the queue instead. */
	function steer(id: ConversationId, turn: LiveTurn, messageId: MessageId, { input, contextIds }: TakenInput): void {
		turn.contextIds.push(...contextIds);
		const hand = () => turn.session?.steer(input) ?? Promise.reject(new AppError("not-running", "No turn runs"));
		const steering = core.store.durable().then(hand);
		steering.catch(async (error: unknown) => {
			core.logger.info({ err: error, conversationId: id }, "A prompt could not be steered in; queued instead");
			// A disk that refuses now must not leave it marked as steered: then it would never run.
			await whenStorable(core, () =>
				core.log.commit(() => {
					giveBashContextBack(core, id, contextIds);
					setDelivery(id, messageId, "queued");
					core.store.messages.orderQueue(id, [messageId]);
					takeSteerPartOut(core, id, turn.messageId, messageId);
					announceUpdate(core, id, messageId);
					announceQueue(id);
				}),
			);
			ready.add(id);
			pump();
		});
	}

	function setDelivery(id: ConversationId, messageId: MessageId, delivery: "queued" | "steered"): void {
		const message = core.store.messages.find(id, messageId);
		if (message?.role === "user") core.store.messages.update(id, messageId, { metadata: { ...message.metadata, delivery } });
	}

	/** The queued prompt, or an error that says that it is not there any more. */
	function queued(id: ConversationId, messageId: MessageId): UserMessage {
		core.accepting(id);
		const message = core.store.messages.queued(id).find((candidate) => candidate.id === messageId);
		if (message?.role === "user") return message;
		throw notQueued();
	}

	return {
		prompt,
		queue(id) {
			core.row(id);
			return queue(id);
		},
		editQueued(id, messageId, given) {
			const content = core.redactor.text(given);
			queued(id, messageId);
			if (content.trim() === "") throw emptyQueued();
			const others = queue(id).filter((item) => item.messageId !== messageId);
			checkRoom(others, content);
			core.log.commit(() => {
				core.store.messages.update(id, messageId, { content });
				announceUpdate(core, id, messageId);
				announceQueue(id);
			});
		},
		moveQueued(id, messageId, toIndex) {
			queued(id, messageId);
			const others = queue(id).flatMap((item) => (item.messageId === messageId ? [] : [toMessageId(item.messageId)]));
			core.log.commit(() => {
				core.store.messages.orderQueue(id, [...others.slice(0, toIndex), messageId, ...others.slice(toIndex)]);
				announceQueue(id);
			});
		},
		dropQueued(id, messageId) {
			queued(id, messageId);
			core.log.commit(() => {
				core.store.messages.delete(id, messageId);
				core.log.append(id, { type: "copilot:message_removed", data: { messageId } });
				announceQueue(id);
			});
		},
		sendQueuedNow(id, messageId) {
			const message = queued(id, messageId);
			const turn = core.live.find(id)?.turn;
			if (turn?.session === undefined) {
				const others = queue(id).flatMap((item) => (item.messageId === messageId ? [] : [toMessageId(item.messageId)]));
				core.log.commit(() => {
					core.store.messages.orderQueue(id, [messageId, ...others]);
					announceQueue(id);
				});
				ready.add(id);
				pump();
				return;
			}
			const taken = core.log.commit(() => {
				setDelivery(id, messageId, "steered");
				core.store.messages.moveToEnd(id, messageId);
				announceUpdate(core, id, messageId);
				announceQueue(id);
				return takeSteerInput(core, id, message);
			});
			steer(id, turn, messageId, taken);
		},
		turnEnded(id, end) {
			if (end.outcome === "completed" || end.outcome === "aborted") ready.add(id);
			pump();
		},
	};
}

/** The turn ended and was stored while the prompt was on its way into it: it must not be drawn there. */
function takeSteerPartOut(core: CoreContext, id: ConversationId, answer: MessageId, steered: MessageId): void {
	const stored = core.store.messages.find(id, answer);
	if (stored?.role !== "assistant") return;
	const parts = stored.metadata.parts.filter((part) => part.kind !== "steer" || part.messageId !== steered);
	if (parts.length < stored.metadata.parts.length) core.store.messages.update(id, answer, { metadata: { ...stored.metadata, parts } });
}

interface Sent extends Pick<PromptReceipt, "messageId" | "delivery"> {
	payloadHash: string | null;
}

/** What was sent under this id before, also if it was dropped since: a repeated send must never run it. */
function findSent(core: CoreContext, id: ConversationId, clientMessageId: string): Sent | undefined {
	const known = core.store.messages.findByClientId(id, clientMessageId);
	if (known === undefined) {
		const removed = core.store.messages.findRemoved(id, clientMessageId);
		return removed === undefined ? undefined : { ...removed, delivery: "dropped" };
	}
	const delivery = known.message.role === "user" ? known.message.metadata.delivery : undefined;
	return {
		messageId: toMessageId(known.message.id),
		payloadHash: known.payloadHash,
		delivery: delivery === "queued" || delivery === "steered" ? delivery : "started",
	};
}

function repeated({ payloadHash, ...sent }: Sent, repeatedHash: string): PromptReceipt {
	if (payloadHash === repeatedHash) return { ...sent, duplicate: true };
	throw new AppError("id-reused", "This clientMessageId was used for another message. Use a new one.");
}

function findAttachments(core: CoreContext, ids: string[]): Attachment[] {
	if (ids.length > MAX_ATTACHMENTS)
		throw new AppError("bad-request", `A message takes at most ${MAX_ATTACHMENTS} attachments.`, {
			params: { reason: "too-many-attachments", max: MAX_ATTACHMENTS },
		});
	return ids.map((id) => {
		const row = core.store.attachments.find(id);
		if (row === undefined) throw new AppError("attachment-not-found", "An attachment is not there any more. Add it again.");
		return { id: row.id, name: row.name, mimeType: row.mimeType, size: row.size };
	});
}

const notQueued = () =>
	new AppError("message-not-found", "This prompt is not in the queue any more: it was taken up or dropped.", {
		params: { reason: "not-queued" },
	});
const emptyQueued = () =>
	new AppError("empty-prompt", "A queued prompt cannot be empty. Drop it instead.", { params: { reason: "queued" } });
const tooLong = (chars: number) =>
	new AppError("too-large", `This message has ${chars} characters; at most ${MAX_PROMPT_CHARS} fit. Attach the text as a file instead.`, {
		params: { reason: "message", chars, max: MAX_PROMPT_CHARS },
	});

function checkRoom(waiting: readonly QueueItem[], prompt: string): void {
	const chars = waiting.reduce((sum, item) => sum + item.content.length, prompt.length);
	if (waiting.length < MAX_QUEUE_ITEMS && chars <= MAX_QUEUE_CHARS) return;
	const full =
		waiting.length >= MAX_QUEUE_ITEMS ? `${waiting.length} prompts wait already.` : "The prompts that wait are too long together.";
	throw new AppError("queue-full", `${full} Wait for one to be taken up, or drop one.`, {
		retryable: true,
		params: { reason: waiting.length >= MAX_QUEUE_ITEMS ? "too-many" : "too-long", count: waiting.length },
	});
}
