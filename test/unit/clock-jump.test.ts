import { expect, test } from "vitest";
import { createSendQueue } from "../../packages/server/src/channels/telegram/outbox/send-queue.ts";
import { createLoginLimiter, LOGIN_FAILURES_PER_MINUTE } from "../../packages/server/src/channels/web/auth/login-limiter.ts";
import { createFrameGuard } from "../../packages/server/src/channels/web/ws/frame-guard.ts";
import { createHeartbeat } from "../../packages/server/src/channels/web/ws/heartbeat.ts";
import { conversationId, epoch, randomIds } from "../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import { createMemoryLedger } from "../../packages/server/src/core/kernel/memory-ledger.ts";
import { MAX_COMMIT_GAP_MS } from "../../packages/server/src/core/log/commit-pace.ts";
import { createEventLog } from "../../packages/server/src/core/log/event-log.ts";
import { createStallTimer, STALL_AFTER_MS } from "../../packages/server/src/runtime/copilot/turn/stall-timer.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { conversationRow } from "../support/conversation-row.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const HOUR_MS = 3_600_000;

test("[FT7] frames are taken as before after the clock was set back", () => {
	const clock = createFakeClock();
	const guard = createFrameGuard(clock);
	clock.jump(-HOUR_MS);
	expect([guard.arrive(), guard.arrive()]).toEqual(["pass", "pass"]);
});

test("[FT7] a connection that speaks is not taken for silent when the clock is set ahead", async () => {
	const clock = createFakeClock();
	let silences = 0;
	createHeartbeat({ clock, timeoutMs: 180_000, onSilence: () => silences++ });
	await clock.advance(90_000);
	clock.jump(HOUR_MS);
	await clock.advance(89_000);
	expect(silences).toBe(0);
});

test("[FT7] words are shown at once after the clock was set back", async () => {
	const clock = createFakeClock();
	const { store } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const id = conversationId("c1");
	store.conversations.insert(conversationRow(id, { epoch: epoch("e") }));
	const shown: string[] = [];
	const log = createEventLog({
		...{ store, clock, logger: silentLogger, memory: createMemoryLedger() },
		onCommitted: () => undefined,
		onDurable: (events) => shown.push(...events.map((event) => event.frame)),
		onLost: () => undefined,
	});
	const say = (content: string) => log.append(id, { type: "copilot:delta", data: { messageId: "m", content } });
	say("before");
	await clock.advance(MAX_COMMIT_GAP_MS);
	clock.jump(-HOUR_MS);
	say("after");
	await clock.advance(MAX_COMMIT_GAP_MS);
	expect(shown).toHaveLength(2);
});

test("[FT7] a chat gets its messages after the clock was set back", async () => {
	const clock = createFakeClock();
	const done: string[] = [];
	const queue = createSendQueue({ clock, isGroup: false, onIdle: () => undefined });
	const job = (name: string) => ({
		run: async () => ({ kind: "refused" as const, code: done.length === 0 ? 429 : 400, description: "", retryAfterMs: 1_000 }),
		settle: () => done.push(name),
	});
	queue.send("first", job("first"));
	await clock.settle();
	clock.jump(-HOUR_MS);
	done.push("waited");
	await clock.advance(1_500);
	expect(done).toEqual(["waited", "first"]);
	queue.close();
});

test("[FT7] nobody is locked out for longer, or let in sooner, because the clock was set", () => {
	const clock = createFakeClock();
	const limiter = createLoginLimiter(clock);
	for (let n = 0; n < LOGIN_FAILURES_PER_MINUTE; n += 1) limiter.fail("192.0.2.1", "login");
	clock.jump(-HOUR_MS);
	expect(limiter.retryAfter("192.0.2.1", "login")).toBe(60);
	clock.jump(2 * HOUR_MS);
	expect(limiter.retryAfter("192.0.2.1", "login")).toBe(60);
});

test("[FT7] a model is called silent after a minute of silence, not after a jump of the clock", async () => {
	const clock = createFakeClock();
	const notices: string[] = [];
	const timer = createStallTimer({ clock, isWaiting: () => false, notice: (message) => notices.push(message) });
	timer.touch();
	clock.jump(-HOUR_MS);
	await clock.advance(STALL_AFTER_MS);
	expect(notices).toHaveLength(1);
	timer.stop();
});
