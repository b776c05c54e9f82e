import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Clock } from "../connection/clock.ts";
import { applyFrame, type ConversationFrame } from "./apply-frame.ts";
import { type ConversationView, emptyView } from "./conversation-view.ts";

/** Conversations followed at the same time; the one looked at longest ago is let go. */
export const MAX_FOLLOWED = 6;
/** A broken position is repaired at once, then at most this often. */
export const RESUBSCRIBE_MS = 1_000;

export interface SyncOptions {
	clock: Clock;
	send: (frame: ClientFrame) => boolean;
	find: (conversationId: string) => ConversationView | undefined;
	/** New views of this batch; `gone` are no longer followed. */
	commit: (changed: ReadonlyMap<string, ConversationView>, gone: readonly string[]) => void;
}

export interface ConversationSync {
	/** Subscribes and keeps following over reconnects. */
	follow(conversationId: string): void;
	unfollow(conversationId: string): void;
	/** A connection opened: subscribe everything from where its text stands. */
	reconnected(): void;
	/** Applies frames in order, as one change. */
	apply(frames: readonly ConversationFrame[]): void;
	/** A frame could not be read: the position is no longer certain. */
	invalidate(conversationId: string): void;
	followed(): readonly string[];
}

export function createConversationSync({ clock, send, find, commit }: SyncOptions): ConversationSync {
	/** Most recently looked at last. */
	let order: string[] = [];
	const repairing = new Map<string, () => void>();
	const asked = new Map<string, number>();

	const subscribe = (conversationId: string) => {
		const view = find(conversationId);
		const position = view?.epoch === undefined ? {} : { epoch: view.epoch, lastSeq: view.lastSeq };
		asked.set(conversationId, clock.now());
		send({ type: "copilot:subscribe", data: { conversationId, ...position } });
	};

	const repair = (conversationId: string) => {
		if (!order.includes(conversationId) || repairing.has(conversationId)) return;
		const wait = Math.max(0, (asked.get(conversationId) ?? 0) + RESUBSCRIBE_MS - clock.now());
		const cancel = clock.after(wait, () => {
			repairing.delete(conversationId);
			subscribe(conversationId);
		});
		repairing.set(conversationId, cancel);
	};

	const drop = (conversationId: string) => {
		order = order.filter((id) => id !== conversationId);
		repairing.get(conversationId)?.();
		repairing.delete(conversationId);
		send({ type: "copilot:unsubscribe", data: { conversationId } });
	};

	return {
		follow(conversationId) {
			const known = order.includes(conversationId);
			order = [...order.filter((id) => id !== conversationId), conversationId];
			if (!known) subscribe(conversationId);
			const gone = order.slice(0, -MAX_FOLLOWED);
			for (const id of gone) drop(id);
			if (gone.length > 0) commit(new Map(), gone);
		},
		unfollow(conversationId) {
			if (!order.includes(conversationId)) return;
			drop(conversationId);
			commit(new Map(), [conversationId]);
		},
		reconnected() {
			for (const cancel of repairing.values()) cancel();
			repairing.clear();
			for (const id of order) subscribe(id);
		},
		apply(frames) {
			const changed = new Map<string, ConversationView>();
			for (const frame of frames) {
				const { conversationId } = frame.data;
				if (!order.includes(conversationId)) continue;
				const view = changed.get(conversationId) ?? find(conversationId) ?? emptyView(conversationId);
				const result = applyFrame(view, frame);
				if (result.kind === "applied") changed.set(conversationId, result.view);
				else if (result.kind === "resubscribe") repair(conversationId);
			}
			if (changed.size > 0) commit(changed, []);
		},
		invalidate: repair,
		followed: () => order,
	};
}
