import { expect, test } from "vitest";
import { conversationRow } from "../../../../../test/support/conversation-row.ts";
import { openStore } from "../../store/open-store.ts";
import { conversationId, epoch, randomIds } from "../kernel/ids.ts";
import { silentLogger } from "../kernel/logger.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import type { Store } from "../ports/store.ts";
import { MAX_COMMIT_GAP_MS, MIN_COMMIT_GAP_MS } from "./commit-pace.ts";
import { createEventLog } from "./event-log.ts";

/** A log whose commits take as long as the test says; `delayAfter` makes one and gives the time until the next may begin. */
function slowLog() {
	let [now, costMs, delayMs] = [1_000, 0, 0];
	let run: () => void = () => undefined;
	const plan = (afterMs: number, work: () => void) => {
		delayMs = afterMs;
		run = work;
		return () => undefined;
	};
	const clock = { now: () => now, elapsed: () => now, after: plan, soon: (work: () => void) => plan(0, work) };
	const { store } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const id = conversationId("c1");
	store.conversations.insert(conversationRow(id, { epoch: epoch("e"), createdAt: now, updatedAt: now }));
	const slow: Store = {
		...store,
		transaction(work) {
			const result = store.transaction(work);
			now += costMs;
			return result;
		},
	};
	const log = createEventLog({
		store: slow,
		clock,
		logger: silentLogger,
		memory: createMemoryLedger(),
		onCommitted: () => undefined,
		onDurable: () => undefined,
	});
	const append = () => log.append(id, { type: "copilot:delta", data: { messageId: "m", content: "word " } });
	append();
	return (tookMs: number): number => {
		costMs = tookMs;
		run();
		append();
		const waited = delayMs;
		now += waited;
		return waited;
	};
}

test("[EV15] storing gets an eighth of the main thread, a fifth at most", () => {
	const delayAfter = slowLog();
	expect([5, 5, 5].map(delayAfter).slice(1)).toEqual([20, 20]);
	expect([0.5, 0.5, 0.8, 0.8].map(delayAfter).slice(1)).toEqual([3.5, 3.5, 5]);
	expect([500, 500].map(delayAfter).at(-1)).toBe(MAX_COMMIT_GAP_MS);
});

test("[EV15] a disk that stalls once holds nobody up twice, and a fast one waits the shortest time", () => {
	const delayAfter = slowLog();
	expect([0, 0, 300, 0, 4, 300, 4].map(delayAfter)).toEqual([1, 1, 1, 1, 1, 16, 16]);
	expect(MIN_COMMIT_GAP_MS).toBe(1);
});
