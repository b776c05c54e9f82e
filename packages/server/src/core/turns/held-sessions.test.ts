import { beforeEach, expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../../../../../test/support/fake-clock.ts";
import { type ConversationId, conversationId } from "../kernel/ids.ts";
import { silentLogger } from "../kernel/logger.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import { createHeldSessions, type HeldSessions, MAX_OPEN_SESSIONS, SESSION_IDLE_MS } from "./held-sessions.ts";

let clock: FakeClock;
let held: HeldSessions;
let closed: string[];
let running: Set<ConversationId>;
beforeEach(() => {
	clock = createFakeClock();
	closed = [];
	running = new Set();
	held = createHeldSessions({ clock, logger: silentLogger, isRunning: (id) => running.has(id) });
});

const nth = (index: number) => conversationId(`c${index}`);
function put(index: number): void {
	const sessionId = nth(index);
	const session: AgentSession = {
		sessionId,
		opened: "new",
		async *run() {
			yield { kind: "turn-end", outcome: "completed" };
		},
		steer: async () => undefined,
		setModel: async () => undefined,
		close: async () => void closed.push(sessionId),
	};
	held.put(sessionId, session, "/somewhere");
}

test("[CV163] sessions are an LRU: one more than fit releases the least recently used in which no turn runs", async () => {
	for (let index = 0; index < MAX_OPEN_SESSIONS; index += 1) put(index);
	await held.makeRoom();
	expect(closed).toEqual(["c0"]);
	put(MAX_OPEN_SESSIONS);
	held.touch(nth(1));
	running.add(nth(2));
	await held.makeRoom();
	expect(closed).toEqual(["c0", "c3"]);
	expect(held.ids()).toHaveLength(MAX_OPEN_SESSIONS - 1);
});

test("[CV17] the TTL begins anew with every use and waits for a running turn; a released session leaves no timer", async () => {
	put(1);
	await clock.advance(SESSION_IDLE_MS - 1);
	held.touch(nth(1));
	await clock.advance(SESSION_IDLE_MS - 1);
	running.add(nth(1));
	await clock.advance(SESSION_IDLE_MS);
	expect(closed).toEqual([]);
	running.clear();
	await clock.advance(SESSION_IDLE_MS);
	expect(closed).toEqual(["c1"]);
	expect(clock.pending()).toBe(0);
});
