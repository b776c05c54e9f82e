import { expect, test } from "vitest";
import { conversationRow } from "../../../../../test/support/conversation-row.ts";
import { openStore } from "../../store/open-store.ts";
import { conversationId, epoch, randomIds } from "../kernel/ids.ts";
import { silentLogger } from "../kernel/logger.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import type { Store } from "../ports/store.ts";
import { MAX_COMMIT_GAP_MS, MAX_SAVED_REST_MS } from "./commit-pace.ts";
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
		onLost: () => undefined,
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
	expect([5, 5, 5, 5].map(delayAfter)).toEqual([0, 10, 20, 20]);
	expect([0.5, 0.5, 0.8, 0.8].map(delayAfter).slice(1)).toEqual([3.5, 3.5, 5]);
	expect([500, 500].map(delayAfter).at(-1)).toBe(MAX_COMMIT_GAP_MS);
});

test("[EV15] a disk that stalls once holds nobody up twice, and what costs nothing is never put off", () => {
	const delayAfter = slowLog();
	expect([0, 0, 300, 0, 0].map(delayAfter)).toEqual([0, 0, 0, 0, 0]);
	const slower = slowLog();
	expect([4, 4, 300, 4].map(slower)).toEqual([0, 6, 16, 16]);
});

test("[EV15] rest that was had before it is owed counts, up to ten milliseconds, so that a few quick commits follow each other at once", () => {
	const delayAfter = slowLog();
	const delays = Array.from({ length: 20 }, () => delayAfter(0.1));
	const first = delays.findIndex((ms) => ms > 0);
	// The first commit has none before it to be compared with.
	expect(first).toBe(1 + Math.floor(MAX_SAVED_REST_MS / 0.7));
	expect(delays.slice(first + 1).every((ms) => Math.abs(ms - 0.7) < 1e-6)).toBe(true);
});
