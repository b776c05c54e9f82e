import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createAgentWatch, PROBE_CHARS } from "./agent-watch.ts";

/** An agent that never answers a ping and says nothing; `unread`: nor does it read. */
function watchSilentAgent(state: { unread: boolean; waiting?: boolean }) {
	const clock = createFakeClock();
	const sent: number[] = [];
	let frozen = 0;
	const peer = {
		send: () => undefined,
		notify: (_method: string, params: unknown) => void sent.push(JSON.stringify(params).length),
		isHeld: false,
		heardAt: 0,
		get unsent() {
			return state.unread && sent.length > 0 ? PROBE_CHARS : 0;
		},
	};
	const limits = { pingEveryMs: 5_000, frozenAfterMs: 15_000 };
	const watch = createAgentWatch({ peer, child: { isStopped: async () => false }, clock, limits }, () => {
		frozen += 1;
	});
	const stop = watch(() => state.waiting === true);
	return { clock, sent, stop, frozen: () => frozen };
}

test("[AC340] an agent that leaves pings alone and reads nothing either is frozen, within 25 seconds", async () => {
	const { clock, sent, frozen } = watchSilentAgent({ unread: true });
	await clock.advance(15_000);
	expect([frozen(), sent]).toEqual([0, [expect.any(Number)]]);
	expect(sent[0]).toBeGreaterThan(PROBE_CHARS);
	await clock.advance(10_000);
	expect([frozen(), clock.pending()]).toEqual([1, 0]);
});

test("[AC340] one that reads is not, however long it thinks, and is asked once; nor is one whose tool runs", async () => {
	const thinking = watchSilentAgent({ unread: false });
	await thinking.clock.advance(600_000);
	expect([thinking.frozen(), thinking.sent.length]).toEqual([0, 1]);
	thinking.stop();
	const working = watchSilentAgent({ unread: true, waiting: true });
	await working.clock.advance(600_000);
	expect([working.frozen(), working.sent]).toEqual([0, []]);
	working.stop();
});

/** An agent that has answered one ping and then says nothing; `tick` lets so much time pass before the next look. */
function watchAnsweringAgent() {
	let now = 0;
	let look: () => void = () => undefined;
	let frozen = 0;
	const clock = {
		...createFakeClock(),
		elapsed: () => now,
		after: (_ms: number, run: () => void) => {
			look = run;
			return () => undefined;
		},
	};
	const peer = {
		send: (_method: string, _params: unknown, settle: (answer: { kind: "result"; result: unknown }) => void) =>
			now === 0 ? settle({ kind: "result", result: null }) : undefined,
		notify: () => undefined,
		...{ isHeld: false, heardAt: 0, unsent: 0 },
	};
	const limits = { pingEveryMs: 5_000, frozenAfterMs: 15_000 };
	createAgentWatch({ peer, child: { isStopped: async () => false }, clock, limits }, () => {
		frozen += 1;
	})(() => false);
	return {
		frozen: () => frozen,
		tick(ms: number) {
			now += ms;
			look();
		},
	};
}

test("[AC71] one that has answered a ping and then gives no sign of life is frozen after a quarter of a minute", () => {
	const agent = watchAnsweringAgent();
	for (let count = 0; count < 2; count += 1) agent.tick(5_000);
	expect(agent.frozen()).toBe(0);
	agent.tick(5_000);
	expect(agent.frozen()).toBe(1);
});

test("[AC71] a delay of our own process is not blamed on the agent", () => {
	const agent = watchAnsweringAgent();
	agent.tick(60_000);
	expect(agent.frozen()).toBe(0);
});
