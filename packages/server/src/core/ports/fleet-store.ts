import type { Position } from "@rightseat/protocol/fleet/position";
import type { Actor } from "../kernel/actor.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** What a host of a fleet keeps beside its conversations. All calls are synchronous and have committed when they return, or join the transaction around them. */
export interface FleetStore {
	readonly chains: ChainStore;
	readonly outbox: OutboxStore;
	/** The highest number of each lease that was ever seen. */
	readonly fences: { list(): ReadonlyMap<string, number>; set(lease: string, number: number): void };
	readonly created: CreatedStore;
}

/** How far the chain of each conversation of this host goes. */
export interface ChainStore {
	find(id: ConversationId): Position | undefined;
	set(id: ConversationId, position: Position): void;
	delete(id: ConversationId): void;
}

/** What other hosts had created here, so that one that asks again gets the same. The newest are kept, for a week. */
export interface CreatedStore {
	find(key: string): ConversationId | undefined;
	add(key: string, id: ConversationId, now: number): void;
}

/** A prompt for another host that waits here, where a person can see it. */
export interface OutboxEntry {
	clientMessageId: string;
	host: string;
	conversationId: string;
	prompt: string;
	attachments: readonly string[];
	/** Who wrote it. */
	actor: Actor;
	/** When a person wrote it, or said last that it is still wanted. */
	at: number;
	state: OutboxState;
	/** It has left this host at least once, so it may have arrived and must not change any more. */
	wasSent: boolean;
}

export type OutboxState =
	/** Goes out when its host is there. */
	| { kind: "waiting" }
	/** `isFirst`: it was never sent before, so a failure that is certain takes that back. */
	| { kind: "sending"; isFirst: boolean }
	/** Sent, not confirmed: goes out again with the same id. */
	| { kind: "unconfirmed" }
	/** So long has passed that a person is asked first. */
	| { kind: "asking" }
	/** The host does not want it; a person edits or drops it. */
	| { kind: "refused"; code: ErrorCode };

/** Where entries lie on disk. Each call has committed when it returns. */
export interface OutboxStore {
	/** In the order in which they were added. */
	list(): OutboxEntry[];
	put(entry: OutboxEntry): void;
	delete(clientMessageId: string): void;
}
