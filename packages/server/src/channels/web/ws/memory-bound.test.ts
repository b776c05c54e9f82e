import type { LogEvent } from "@rightseat/protocol/events/event";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { conversationId, epoch, seq } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import { createStreamHub } from "../../../core/log/stream-hub.ts";
import { createTurnMemory } from "../../../core/turns/turn-memory.ts";
import { cutSlowest, type SlowReader } from "./cut-slowest.ts";
import { createEncodeOnce } from "./encode-once.ts";
import { createOutbound } from "./outbound.ts";
import { stuckSocket } from "./stuck-socket-harness.ts";

const LIMIT_BYTES = 24 * 1_048_576;
const CONVERSATIONS = 200;
const READERS = 50;
const EVENT_CHARS = 16_000;
const ROUNDS = 12;

/** A server without its store: rings, running turns and readers that take nothing share one ledger. */
function bed() {
	const memory = createMemoryLedger(LIMIT_BYTES);
	const events = { after: () => [], append: () => undefined, prune: () => 0 };
	const hub = createStreamHub({
		events: Object.assign(Object.create(null), events),
		epochOf: () => epoch("e"),
		logger: silentLogger,
		memory,
	});
	const readers = new Set<SlowReader>();
	const account = memory.account("sockets", { order: 1, free: (bytes) => cutSlowest(readers, bytes) });
	let cut = 0;

	function attach(ids: readonly ReturnType<typeof conversationId>[]): void {
		const peer = stuckSocket();
		const outbound = createOutbound({
			...{ socket: peer.socket, raw: peer.raw, clock: createFakeClock(), encode: createEncodeOnce(), logger: silentLogger, account },
			onSlow: () => undefined,
		});
		const subscriptions = ids.map((id) =>
			hub.attach(id, { event: (frame) => void outbound.offer(frame, () => undefined), reply: () => undefined }),
		);
		const reader: SlowReader = {
			waitingBytes: outbound.waitingBytes,
			cut() {
				cut += 1;
				readers.delete(reader);
				for (const subscription of subscriptions) subscription.close();
				outbound.close();
				peer.take(peer.buffered());
			},
		};
		readers.add(reader);
	}
	return { memory, hub, attach, readers, cut: () => cut };
}

test("[WS121] the bound over everything holds when 200 conversations stream and 50 readers take nothing", () => {
	const { memory, hub, attach, readers, cut } = bed();
	const ids = Array.from({ length: CONVERSATIONS }, (_, index) => conversationId(`c${index}`));
	const turns = ids.map(() => createTurnMemory(memory));
	for (let reader = 0; reader < READERS; reader += 1) attach(ids);
	let [refused, most] = [0, 0];
	for (let round = 1; round <= ROUNDS; round += 1) {
		for (const [index, id] of ids.entries()) {
			const event: LogEvent = { type: "copilot:delta", data: { messageId: "m", content: "x".repeat(EVENT_CHARS) } };
			const frame = JSON.stringify({ ...event, data: { ...event.data, conversationId: id, epoch: "e", seq: round } });
			const committed = { conversationId: id, epoch: epoch("e"), seq: seq(round), frame, event };
			hub.remember([committed]);
			hub.publish([committed]);
			if (turns[index]?.fits(round * EVENT_CHARS) === false) refused += 1;
			most = Math.max(most, memory.usage().usedBytes);
		}
	}
	const { accounts, peakBytes } = memory.usage();
	expect(Math.max(most, peakBytes)).toBeLessThanOrEqual(LIMIT_BYTES);
	// In this order: the rings gave way, then the readers, then turns were refused.
	expect(cut()).toBe(READERS);
	expect([readers.size, accounts.sockets]).toEqual([0, 0]);
	expect(refused).toBeGreaterThan(0);
});

test("[WS231] with room for the turns, only the rings give way; nobody is cut and nothing is refused", () => {
	const { memory, hub, attach, cut } = bed();
	const ids = Array.from({ length: CONVERSATIONS }, (_, index) => conversationId(`c${index}`));
	attach([conversationId("c0")]);
	for (let round = 1; round <= ROUNDS; round += 1) {
		for (const id of ids) {
			const frame = JSON.stringify({ type: "copilot:delta", data: { conversationId: id, content: "x".repeat(EVENT_CHARS) } });
			const committed = { conversationId: id, epoch: epoch("e"), seq: seq(round), frame };
			hub.remember([committed]);
			hub.publish([committed]);
		}
	}
	expect([cut(), memory.account("uploads").reserve(1_048_576)]).toEqual([0, true]);
	expect(memory.usage().usedBytes).toBeLessThanOrEqual(LIMIT_BYTES);
});
