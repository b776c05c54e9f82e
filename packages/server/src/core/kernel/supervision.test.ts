import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createProcessSupervisor, NOT_STARTED, nextSupervision, type SupervisionInput } from "./supervision.ts";

const policy = { backoffMs: [0, 200, 1_000], windowMs: 60_000, openAfter: 5 };

const inputs = fc.array(
	fc.oneof(
		fc.constantFrom<SupervisionInput>(
			...[{ kind: "needed" } as const, { kind: "started" } as const, { kind: "released" } as const],
			...[{ kind: "backoff-over" } as const, { kind: "reset" } as const],
		),
		fc.record({ kind: fc.constant("failed" as const), because: fc.constant("it died"), atMs: fc.nat(200_000) }),
	),
	{ maxLength: 40 },
);

test("[RT128] there is never more than one start under way, and none after a stop", () => {
	fc.assert(
		fc.property(inputs, inputs, (before, after) => {
			let state = NOT_STARTED;
			let underWay = false;
			let atMs = 0;
			for (const input of [...before, { kind: "stop" } as const, ...after]) {
				const wasStopped = state.at === "stopped";
				if (input.kind === "failed") atMs = Math.max(atMs, input.atMs);
				const step = nextSupervision(state, input.kind === "failed" ? { ...input, atMs } : input, policy);
				const starts = step.effects.filter((effect) => effect.do === "start").length;
				if (starts > 0) expect([underWay, wasStopped]).toEqual([false, false]);
				state = step.state;
				underWay = state.at === "starting" || state.at === "ready";
				if (starts > 0) expect(state.at).toBe("starting");
				expect(state.failedAt.length).toBeLessThan(policy.openAfter);
			}
			expect(state.at).toBe("stopped");
		}),
		{ numRuns: 500 },
	);
});

test("[RT128] restarts come after growing pauses, repeated failures open the circuit, and a reset closes it", async () => {
	const clock = createFakeClock();
	let starts = 0;
	const states: string[] = [];
	const supervisor = createProcessSupervisor({ policy, clock, start: () => starts++, onChange: ({ at }) => states.push(at) });
	supervisor.needed();
	supervisor.needed();
	expect(starts).toBe(1);
	supervisor.started();
	supervisor.failed("first");
	expect(starts).toBe(2);
	for (const [pauseMs, expected] of [
		[200, 3],
		[1_000, 4],
		[1_000, 5],
	] as const) {
		supervisor.failed("again");
		await clock.advance(pauseMs - 1);
		expect(starts).toBe(expected - 1);
		await clock.advance(1);
		expect(starts).toBe(expected);
	}
	supervisor.failed("the last straw");
	await clock.advance(600_000);
	supervisor.needed();
	expect([supervisor.state, starts]).toEqual([{ at: "open", because: "the last straw", failedAt: [] }, 5]);
	supervisor.reset();
	expect([supervisor.state.at, starts]).toEqual(["starting", 6]);
	supervisor.failed("once more");
	supervisor.stop();
	expect([clock.pending(), states.at(-1)]).toEqual([0, "stopped"]);
});

test("[RT128] failures that are older than the window do not count, and without a circuit what is remembered is bounded", async () => {
	const clock = createFakeClock();
	const steady = createProcessSupervisor({ policy, clock, start: () => undefined });
	for (let death = 0; death < 20; death += 1) {
		steady.needed();
		steady.started();
		steady.failed("now and then");
		await clock.advance(policy.windowMs);
	}
	expect(steady.state.at).toBe("starting");
	const { openAfter: _, ...unbroken } = policy;
	const loop = createProcessSupervisor({ policy: unbroken, clock, start: () => undefined });
	loop.needed();
	for (let death = 0; death < 50; death += 1) {
		loop.failed("over and over");
		await clock.advance(1_000);
	}
	expect([loop.state.at, loop.state.failedAt.length]).toEqual(["starting", policy.backoffMs.length]);
});
