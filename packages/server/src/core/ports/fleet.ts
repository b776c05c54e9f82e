import type { FleetCommand } from "@rightseat/protocol/fleet/command";
import type { HostInbox } from "@rightseat/protocol/fleet/inbox";
import type { Head, LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** A host of the fleet, as `GET /api/hosts` shows it. */
export interface FleetHost {
	id: string;
	name: string;
	/** It is this one. */
	self: boolean;
	state: "online" | "offline";
	lastSeen: string | undefined;
	version: string;
	/** How far its clock is ahead of the one here, in milliseconds; undefined while it was not heard. */
	clockAheadMs?: number | undefined;
}

/**
 * The other hosts. What carries the words is not known here; it may lose, double and delay them. Without a fleet there is no such thing, and nobody asks
 * for one.
 */
export interface Fleet {
	/** This host first. */
	hosts(): FleetHost[];
	/** Conversations of other hosts as far as their lists are known, each with its `host` and with the id that it has here. */
	conversations(): Conversation[];
	/** What waits for a person on other hosts, as far as they told, under the ids that it has here. Nothing where this host may only watch. */
	inbox(): HostInbox;
	/** Follows one conversation of another host until the result is called: what a reader is told, in order. */
	watch(id: ConversationId, reader: FleetReader): () => void;
	/**
	 * Asks another host; `conversationId` is the id there. Rejects with AppError: what the host refused, `host-offline`, `host-unreachable`,
	 * `fleet-not-connected`.
	 */
	command(request: FleetRequest): Promise<string[]>;
	/** A task that one host does for all: its fencing number while it is this one's. */
	lease(name: string): { fence(): number | undefined; close(): Promise<void> };
	/** What the holder of such a task leaves for the next one. */
	shared(name: "telegram"): SharedTable;
	status(): FleetStatus;
	/** Takes a host out of the fleet, everywhere and for good. Rejects with AppError. */
	remove(host: string): Promise<void>;
	onChange(listener: () => void): () => void;
}

/** The JSON of one shared entry. */
export const MAX_SHARED_BYTES = 45_000;

/** A small table that all hosts of the fleet can read and nobody else. It may be gone at any time. All calls reject when the engine does not answer. */
export interface SharedTable {
	/** Undefined: there is none. A value that no member wrote is undefined, too. */
	get(key: string): Promise<{ value: unknown; revision: number } | undefined>;
	/** Only if the entry still has this revision (undefined: is not there); undefined when it has not, else the new revision. */
	put(key: string, value: unknown, revision: number | undefined): Promise<number | undefined>;
}

/** What is asked of another host. */
export type FleetRequest = Pick<FleetCommand, "to" | "conversationId" | "actor" | "frame" | "fence">;

/** This host as the others see it: what the fleet is given when it starts. */
export interface FleetOwner {
	/**
	 * Carries out what another host asks and may ask. The frames are its answer; rejects with AppError when nothing was done. `fleet:read` and `fleet:hello`
	 * never come here: the fleet answers them by `read`.
	 */
	run(command: FleetCommand): Promise<string[]>;
	/** What a reader that has `from` must get: events or everything, and nothing that is not durable. `gone` when there is no such conversation. */
	read(id: ConversationId, from: Position | undefined): Promise<Exclude<OwnerAnswer, { kind: "failed" }>>;
	/** A host does not belong any more, or may not do everything any more: what it has open here ends. Must not throw. */
	forget(host: string): void;
	/** A member asked for this, and it was `done`, or refused with this code. Reads that were done are left out. Must not throw. */
	audit(command: FleetCommand, verdict: string): void;
	/** Conversations of this host, newest first, under the ids that they have here. */
	conversations(limit: number): Conversation[];
	/** One of them is there, looks different or is gone, durably. */
	onConversation(
		listener: (change: { kind: "created" | "updated"; conversation: Conversation } | { kind: "deleted"; id: string }) => void,
	): () => void;
	/** What waits for a person on this host, bounded, under the ids that it has here; told when items have come or gone. */
	inbox(): HostInbox;
	onInbox(listener: () => void): () => void;
	/** Every event of every conversation of this host, in order, as soon as it is durable. The listener must not throw. */
	onEvent(listener: (id: ConversationId, event: LiveEvent) => void): () => void;
	/** How far those conversations are that changed in the last minute, newest first. */
	heads(): Head[];
	/** All of a conversation that is durable, for the copy; undefined when it is gone. */
	snapshot(id: ConversationId): Promise<{ position: Position; frame: string } | undefined>;
}

/** What the owner of a conversation, or the way there, says to a reader. */
export type OwnerAnswer =
	/** Every event after the position up to `head`, or with `hasMore` the first of them. */
	| { kind: "events"; events: readonly LiveEvent[]; head: Position; hasMore: boolean }
	/** `isRewritten`: the reader was shown what is not in the owner's log. */
	| { kind: "snapshot"; position: Position; frame: string; isRewritten: boolean }
	| { kind: "failed"; reason: "no-responders" | "timeout" }
	/** The owner has no such conversation. */
	| { kind: "gone" };

/** What a reader of another host's conversation is told. Must not throw. */
export interface FleetReader {
	/** The next event, as text, with the id that the conversation has here. */
	event(frame: string, position: Position): void;
	/** Everything up to here, in place of what was shown. `copyOf`: its host is away, and this is how it stood then. */
	snapshot(frame: string, position: Position, about: { isRewritten: boolean; copyOf: number | undefined }): void;
	/** Its host has no such conversation any more. */
	gone(): void;
}

/** How the fleet stands, for people. */
export type FleetStatus =
	/** `warning`: it works, but not all of it, or not safely. */
	| { kind: "connected"; url: string; version: string; warning: AppError | undefined }
	/** It comes by itself. */
	| { kind: "connecting"; url: string; because: AppError | undefined }
	/** A person must do something: wrong credentials, an old server, an identity that is in use elsewhere. */
	| { kind: "refused"; url: string; because: AppError };
