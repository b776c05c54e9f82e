import { MAX_ATTACHMENTS, MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import type { Attachment, UserMetadata } from "@rightseat/protocol/model/message";
import type { ActiveConversations, ActiveTurn } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Announcements } from "../commands/announcements.ts";
import { titleFrom } from "../commands/title.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { fingerprint } from "../kernel/fingerprint.ts";
import { messageId as toMessageId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { AttachmentStore, NewMessage, Store } from "../ports/store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { checkQueueRoom } from "./prompt-queue.ts";
import type { PromptReceipt, PromptRequest } from "./prompt-request.ts";
import type { BegunTurn } from "./run-turn.ts";
import { findSent, repeated } from "./sent-prompts.ts";
import type { Steering } from "./steering.ts";
import type { TakenInput } from "./turn-input.ts";
import type { Turns } from "./turns.ts";

/** Stores a prompt and starts, queues or steers it. Returns when committed; throws an AppError when nothing was stored. */
export type SendPrompt = (request: PromptRequest) => PromptReceipt;

/** Where a prompt goes; decided once, before it is stored. */
type Route = { to: "turn" } | { to: "queue"; wakes: boolean } | { to: "running-turn"; turn: ActiveTurn };

/** Checks first, stores once, then starts, queues or steers. */
export function createPrompts(deps: {
	store: Pick<Store, "messages" | "conversations" | "attachments">;
	log: Pick<EventLog, "commit">;
	clock: Clock;
	redactor: Redactor;
	active: Pick<ActiveConversations, "find">;
	rows: Pick<ConversationRows, "getOpen">;
	changes: Pick<ConversationChanges, "updated">;
	announce: Pick<Announcements, "added" | "queue">;
	turns: Pick<Turns, "settleLeftOpen" | "begin">;
	dispatcher: Dispatcher;
	steering: Steering;
}): SendPrompt {
	const { store, turns, dispatcher, steering } = deps;

	return function prompt(given) {
		const request = { ...given, prompt: deps.redactor.text(given.prompt) };
		const { conversationId: id, clientMessageId } = request;
		deps.rows.getOpen(id);
		const attachments = findAttachments(store.attachments, request.attachments ?? []);
		checkPrompt(request.prompt, attachments.length);
		const payloadHash = fingerprint(JSON.stringify([request.prompt, request.attachments ?? []]));
		const known = findSent(store.messages, id, clientMessageId);
		if (known !== undefined) return repeated(known, payloadHash);

		turns.settleLeftOpen(id);
		const route = routeOf(request);
		if (route.to === "queue") checkQueueRoom(store.messages.queued(id), request.prompt);
		const { messageId, begun, taken } = commit(request, { attachments, payloadHash, route });
		if (begun !== undefined) dispatcher.start(begun);
		else deps.changes.updated(id);
		if (route.to === "running-turn" && taken !== undefined) steering.steer(route.turn, { conversationId: id, messageId, taken });
		if (route.to === "queue" && route.wakes) dispatcher.resume(id);
		return { messageId: toMessageId(messageId), duplicate: false, delivery: RECEIPT[route.to] };
	};

	function routeOf({ conversationId: id, mode, unattended, task }: PromptRequest): Route {
		const turn = deps.active.find(id)?.turn;
		if (task !== undefined && (turn !== undefined || store.messages.queued(id).length > 0 || !dispatcher.hasSlot())) throw busy();
		if (mode === "immediate" && turn?.steerable() !== undefined) return { to: "running-turn", turn };
		if (turn !== undefined) return { to: "queue", wakes: false };
		const isAlone = store.messages.queued(id).length === 0;
		return dispatcher.hasSlot() && isAlone ? { to: "turn" } : { to: "queue", wakes: isAlone || unattended !== true };
	}

	/** One transaction: the message, its place in the conversation, and whatever it begins. */
	function commit(
		request: PromptRequest,
		as: { attachments: Attachment[]; payloadHash: string; route: Route },
	): { messageId: string; begun?: BegunTurn; taken?: TakenInput } {
		const { conversationId: id, prompt, clientMessageId, origin } = request;
		const { attachments, payloadHash, route } = as;
		const metadata: UserMetadata = {
			origin,
			...(attachments.length === 0 ? {} : { attachments }),
			...(clientMessageId === undefined ? {} : { clientMessageId }),
			...(request.task === undefined ? {} : { task: request.task }),
			delivery: DELIVERY[route.to],
		};
		const added: NewMessage = { role: "user", content: prompt, metadata, createdAt: deps.clock.now(), payloadHash, clientMessageId };
		return deps.log.commit(() => {
			const message = store.messages.addMessage(id, added);
			for (const attachment of attachments) store.attachments.bind(attachment.id, id);
			const isUntitled = store.conversations.find(id)?.title === "";
			store.conversations.update(id, { updatedAt: deps.clock.now(), ...(isUntitled ? { title: titleFrom(prompt) } : {}) });
			deps.announce.added(id, message);
			if (route.to === "queue") deps.announce.queue(id);
			if (message.role !== "user" || route.to === "queue") return { messageId: message.id };
			if (route.to === "running-turn") return { messageId: message.id, taken: steering.take(id, message) };
			return { messageId: message.id, begun: turns.begin(id, message) };
		});
	}
}

/** Throws `empty-prompt` or `too-large`. */
export function checkPrompt(prompt: string, attachments: number): void {
	if (prompt.trim() === "" && attachments === 0) throw new AppError("empty-prompt", "The message is empty. Type something first.");
	if (prompt.length > MAX_PROMPT_CHARS) throw tooLong(prompt.length);
}

const DELIVERY = { turn: "taken", queue: "queued", "running-turn": "steered" } as const;
const RECEIPT = { turn: "started", queue: "queued", "running-turn": "steered" } as const;

function findAttachments(store: Pick<AttachmentStore, "find">, ids: string[]): Attachment[] {
	if (ids.length > MAX_ATTACHMENTS)
		throw new AppError("bad-request", `A message takes at most ${MAX_ATTACHMENTS} attachments.`, {
			params: { reason: "too-many-attachments", max: MAX_ATTACHMENTS },
		});
	return ids.map((id) => {
		const row = store.find(id);
		if (row === undefined) throw new AppError("attachment-not-found", "An attachment is not there any more. Add it again.");
		return { id: row.id, name: row.name, mimeType: row.mimeType, size: row.size };
	});
}

const busy = () =>
	new AppError("conversation-busy", "Something runs or waits in this conversation. Do this when it rests.", { retryable: true });

const tooLong = (chars: number) =>
	new AppError("too-large", `This message has ${chars} characters; at most ${MAX_PROMPT_CHARS} fit. Attach the text as a file instead.`, {
		params: { reason: "message", chars, max: MAX_PROMPT_CHARS },
	});
