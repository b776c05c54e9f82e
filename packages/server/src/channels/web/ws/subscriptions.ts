import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { ReaderReply, Subscriber, Subscription } from "../../../core/log/stream-hub.ts";
import { answerTo, errorFrame } from "./frames.ts";
import type { Outbound } from "./outbound.ts";

export const MAX_SUBSCRIPTIONS = 64;

/** The conversations that one connection watches. */
export interface Subscriptions {
	/** Status first, then what was missed, then what follows. Replaces an earlier subscription of this connection. */
	subscribe(id: ConversationId, position: Position, requestId?: string): void;
	/** Makes sure that what happens from now on is seen; true when this call began it. */
	follow(id: ConversationId): boolean;
	unsubscribe(id: ConversationId): void;
	has(id: ConversationId): boolean;
	close(): void;
}
export interface Position {
	epoch?: string;
	lastSeq?: number;
}

interface Entry {
	handle: Subscription | undefined;
	/** Where this subscription began. */
	position: Position;
	/** The last event that the client has got since, so that catching up begins right after it. */
	last: { epoch: string; seq: number } | undefined;
	catchUp: () => void;
	/** Tells a subscriber that was replaced from the present one. */
	generation: number;
	/** Of the subscribe that was not answered yet. */
	requestId: string | undefined;
}

export function createSubscriptions(deps: {
	conversations: Pick<EveryConversations, "subscribe" | "follow" | "get">;
	outbound: Outbound;
}): Subscriptions {
	const { conversations, outbound } = deps;
	const entries = new Map<ConversationId, Entry>();

	function open(id: ConversationId, entry: Entry, start: (subscriber: Subscriber) => Subscription) {
		entry.handle?.close();
		entry.handle = undefined;
		entry.generation += 1;
		const generation = entry.generation;
		const current = () => entries.get(id) === entry && entry.generation === generation;
		// Status and snapshot answer it, perhaps only when the disk is ready; what follows, catching up included, was not asked for.
		const asked = { requestId: entry.requestId };
		entry.requestId = undefined;
		let behind = false;
		const handle = start({
			event(frame, at) {
				if (behind || !current()) return;
				if (outbound.offer(frame, entry.catchUp)) {
					// The object that all subscribers share: this runs for every event of every reader.
					entry.last = at;
					return;
				}
				// Ended here, so that a slow reader costs the hub nothing; catching up subscribes again from its position.
				behind = true;
				entry.handle?.close();
				entry.handle = undefined;
			},
			reply(frame) {
				if (!current()) return;
				outbound.deliver(JSON.stringify(answerTo(asked, frame)));
				const announced = positionAfter(frame);
				if (announced === undefined) return;
				entry.position = announced;
				entry.last = undefined;
			},
			lost: (error) => current() && outbound.send(lostFrame(id, asked, error)),
		});
		if (behind) handle.close();
		else entry.handle = handle;
	}

	function enter(id: ConversationId): Entry {
		if (entries.size >= MAX_SUBSCRIPTIONS) {
			throw new AppError(
				"too-many-subscriptions",
				`One connection can watch ${MAX_SUBSCRIPTIONS} conversations. Unsubscribe from some first.`,
				{ params: { max: MAX_SUBSCRIPTIONS } },
			);
		}
		const entry: Entry = {
			handle: undefined,
			position: {},
			last: undefined,
			generation: 0,
			requestId: undefined,
			catchUp: () => undefined,
		};
		entry.catchUp = () => {
			if (entries.get(id) !== entry) return;
			try {
				open(id, entry, (subscriber) => conversations.subscribe(id, positionOf(entry), subscriber));
			} catch (error) {
				// The conversation was deleted meanwhile; everyone was told so already.
				if (error instanceof AppError && error.code === "conversation-not-found") leave(id);
				else throw error;
			}
		};
		entries.set(id, entry);
		return entry;
	}

	function leave(id: ConversationId) {
		const entry = entries.get(id);
		if (entry === undefined) return;
		entries.delete(id);
		outbound.forget(entry.catchUp);
		entry.handle?.close();
	}

	function begin(id: ConversationId, asked: Position & { requestId?: string }, start: (subscriber: Subscriber) => Subscription) {
		const entry = enter(id);
		const { requestId, ...position } = asked;
		entry.position = position;
		entry.requestId = requestId;
		try {
			// A reader that has not taken one snapshot yet is not given the next; its turn comes when it has.
			if (outbound.behind()) {
				conversations.get(id);
				outbound.later(entry.catchUp);
			} else open(id, entry, start);
		} catch (error) {
			leave(id);
			throw error;
		}
	}

	return {
		subscribe(id, position, requestId) {
			leave(id);
			begin(id, { ...position, ...(requestId === undefined ? {} : { requestId }) }, (subscriber) =>
				conversations.subscribe(id, position, subscriber),
			);
		},
		follow(id) {
			if (entries.has(id)) return false;
			begin(id, {}, (subscriber) => conversations.follow(id, subscriber));
			return true;
		},
		unsubscribe: leave,
		has: (id) => entries.has(id),
		close() {
			for (const id of [...entries.keys()]) leave(id);
		},
	};
}

const positionOf = ({ last, position }: Entry): Position => (last === undefined ? position : { epoch: last.epoch, lastSeq: last.seq });

function lostFrame(conversationId: ConversationId, asked: { requestId: string | undefined }, error: AppError): string {
	return JSON.stringify(answerTo(asked, errorFrame(error, { requestType: "copilot:subscribe", ids: { conversationId } })));
}

/** A status that announces a snapshot says up to where that goes. */
function positionAfter(frame: ReaderReply): Position | undefined {
	if (frame.type !== "copilot:stream-status" || frame.data.mode !== "snapshot") return undefined;
	return { epoch: frame.data.epoch, lastSeq: frame.data.headSeq };
}
