import { randomUUID } from "node:crypto";
import type { Head, LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { answerReader } from "../../../packages/server/src/core/fleet/owner-answer.ts";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { CHAIN_START } from "../../../packages/server/src/core/log/chains.ts";
import { MAX_RING_EVENTS } from "../../../packages/server/src/core/log/event-rings.ts";
import type { FleetOwner } from "../../../packages/server/src/core/ports/fleet.ts";
import { chainLink } from "../../../packages/server/src/fleet/crypto/chain.ts";

/** The first words of every conversation, so that a copy of it is as large as that of a talk of some turns. */
const SNAPSHOT_TEXT = Array.from({ length: 2_000 }, (_, index) => `word${(index * 7_919) % 10_007}`).join(" ");
const HEADS = 100;
const WORDS_OF_TURN = 50;
const HEADS_MS = 60_000;

/** A host's conversations without agent, disk and page: a log in memory of each, which tells and answers what the real one would. */
export interface LightOwner {
	owner: FleetOwner;
	ids: readonly ConversationId[];
	/** One more word of a conversation, as a delta. */
	say(index: number, content: string): void;
	/** How far a conversation has come. */
	headOf(index: number): number;
}

interface Log {
	id: ConversationId;
	generation: number;
	/** The newest, as many as the real one keeps with their chains. */
	events: LiveEvent[];
	head: Position;
	changedAt: number;
	title: string;
}

/** `keeps`: so many events of a conversation are given one by one; who is further behind gets everything. */
export function createLightOwner(count: number, keeps = MAX_RING_EVENTS): LightOwner {
	const listeners = new Set<Parameters<FleetOwner["onEvent"]>[0]>();
	const changes = new Set<Parameters<FleetOwner["onConversation"]>[0]>();
	const logs = Array.from({ length: count }, (_, index) => newLog(index));
	const byId = new Map(logs.map((log) => [log.id, log]));
	const owner: FleetOwner = {
		run: () => Promise.resolve([]),
		async read(id, from) {
			const log = byId.get(id);
			if (log === undefined) return { kind: "gone" };
			return answerReader({ head: () => log.head, snapshot: () => snapshotOf(log), ...placesOf(log) }, from);
		},
		forget: () => undefined,
		audit: () => undefined,
		conversations: (limit) => logs.slice(0, limit).map(listed),
		onConversation(listener) {
			changes.add(listener);
			return () => void changes.delete(listener);
		},
		inbox: () => ({ items: [], snoozed: [] }),
		onInbox: () => () => undefined,
		onEvent(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		heads: () =>
			logs
				.filter(({ changedAt }) => performance.now() - changedAt < HEADS_MS)
				.slice(0, HEADS)
				.map(({ id, head }): Head => ({ conversationId: id, ...head })),
		async snapshot(id) {
			const log = byId.get(id);
			return log === undefined ? undefined : { position: log.head, frame: snapshotOf(log) };
		},
	};
	return {
		owner,
		ids: logs.map(({ id }) => id),
		say(index, content) {
			const log = logs[index];
			if (log === undefined) return;
			const event = nextEvent(log, content);
			log.events.push(event);
			if (log.events.length > 1.1 * keeps) log.events = log.events.slice(-keeps);
			log.head = { generation: event.generation, epoch: event.epoch, seq: event.seq, chain: event.chain };
			log.changedAt = performance.now();
			for (const listener of listeners) listener(log.id, event);
			// A turn of a real one begins and ends now and then, which its list shows.
			if (event.seq % WORDS_OF_TURN === 0) for (const listener of changes) listener({ kind: "updated", conversation: listed(log) });
		},
		headOf: (index) => logs[index]?.head.seq ?? 0,
	};

	function placesOf({ events, head }: Log) {
		const first = events[0]?.seq ?? head.seq + 1;
		const kept = (seq: number) => seq >= first - 1 && head.seq - seq <= keeps;
		return {
			chainAt: (seq: number) => (seq === 0 ? CHAIN_START : kept(seq) ? events[seq - first]?.chain : undefined),
			after: (seq: number) => (kept(seq) ? events.slice(seq + 1 - first, seq + 1 - first + MAX_RING_EVENTS) : undefined),
		};
	}
}

function newLog(index: number): Log {
	const head = { generation: Date.now(), epoch: randomUUID(), seq: 0, chain: CHAIN_START };
	const [id, title] = [conversationId(randomUUID()), `What conversation ${index + 1} of this host is about`];
	return { id, title, generation: head.generation, events: [], head, changedAt: Number.NEGATIVE_INFINITY };
}

function nextEvent({ id, generation, head }: Log, content: string): LiveEvent {
	const seq = head.seq + 1;
	const data = { conversationId: id, epoch: head.epoch, seq, messageId: id, content };
	const frame = JSON.stringify({ type: "copilot:delta", data });
	return { generation, epoch: head.epoch, seq, chain: chainLink(head.chain, frame), frame };
}

function snapshotOf({ id, head }: Log): string {
	const message = {
		id: `m-${id}`,
		role: "user",
		content: SNAPSHOT_TEXT,
		metadata: { origin: "web" },
		createdAt: "2026-01-01T00:00:00.000Z",
	};
	const empty = { queue: [], questions: [], permissions: [], commands: [], context: [] };
	const data = { conversationId: id, epoch: head.epoch, seq: head.seq, status: "streaming", messages: [message], ...empty };
	return JSON.stringify({ type: "copilot:snapshot", data });
}

const listed = ({ id, title, head }: Log): Conversation => ({
	...{ id, title, agent: "copilot", model: "a-model-of-some-name", mode: "agent", effort: "", cwd: "/home/somebody/work/a-project" },
	...{ sdkSessionId: null, pinned: false, archived: false, permissions: "auto", status: "idle", asking: false },
	...{ epoch: head.epoch, headSeq: head.seq, createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
});
