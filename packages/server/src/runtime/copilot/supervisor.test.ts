import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/logger.ts";
import { createSupervisor, FAILURE_WINDOW_MS, START_LIMIT_MS, STOP_LIMIT_MS } from "./supervisor.ts";

type Behaviour = "works" | "fails" | "hangs" | "silent";

/** A client that does what it is told, at the edge to the SDK. */
function setUp(behaviour: Behaviour[] = []) {
	const clock = createFakeClock();
	const starts: Behaviour[] = [];
	const states: string[] = [];
	const exits: (() => void)[] = [];
	let forced = 0;
	let stopHangs = false;
	const supervisor = createSupervisor({
		provider: "byok",
		clock,
		logger: silentLogger,
		createClient() {
			const how = behaviour[starts.length] ?? "works";
			starts.push(how);
			return {
				start: () =>
					how === "works" || how === "silent"
						? Promise.resolve()
						: how === "fails"
							? Promise.reject(new Error("bad binary"))
							: new Promise<void>(() => undefined),
				stop: () => (stopHangs ? new Promise(() => undefined) : Promise.resolve()),
				forceStop: async () => {
					forced += 1;
				},
				ping: async () => undefined,
				getStatus: () => (how === "silent" ? new Promise<{ version: string }>(() => undefined) : Promise.resolve({ version: "1" })),
			};
		},
		watchExit(_client, onExit) {
			exits.push(onExit);
			return () => undefined;
		},
	});
	supervisor.onHealth(({ state }) => states.push(state));
	return {
		clock,
		supervisor,
		states,
		starts,
		kill: () => exits.at(-1)?.(),
		forced: () => forced,
		hangOnStop: () => {
			stopHangs = true;
		},
	};
}

test("[RT68] a runtime that dies while it starts is noticed at once, not when the start's limit is over", async () => {
	const { supervisor, clock, kill, states } = setUp(["silent"]);
	const lease = supervisor.lease();
	lease.catch(() => undefined);
	await clock.settle();
	kill();
	await expect(lease).rejects.toMatchObject({ code: "runtime-start-failed" });
	expect(states.at(-1)).toBe("restarting");
});

test("[RT1] many callers at once share one start", async () => {
	const { supervisor, starts } = setUp();
	const leases = await Promise.all([supervisor.lease(), supervisor.lease(), supervisor.lease()]);
	expect(new Set(leases).size).toBe(1);
	expect(starts).toEqual(["works"]);
});

test("[RT45] after a death the runtime is restarted with growing pauses, and whoever waits gets the new one", async () => {
	const { supervisor, clock, kill, starts, states } = setUp(["works", "fails", "fails", "works"]);
	const first = await supervisor.lease();
	kill();
	expect(first.gone.aborted).toBe(true);
	expect(first.gone.reason).toMatchObject({ code: "runtime-died" });
	expect(supervisor.health().message).toContain("restarted");
	await clock.advance(249);
	expect(starts).toHaveLength(1);
	await clock.advance(1);
	expect(starts).toHaveLength(2);
	await clock.advance(500);
	expect(starts).toHaveLength(3);
	const waiting = supervisor.lease();
	await clock.advance(1_000);
	expect((await waiting).gone.aborted).toBe(false);
	expect(states).toEqual([
		"starting",
		"ready",
		"restarting",
		"restarting",
		"restarting",
		"restarting",
		"restarting",
		"restarting",
		"ready",
	]);
});

test("[RT46] five failures within a minute make it rest; old failures do not count; waking starts it again", async () => {
	const { supervisor, clock, kill, starts } = setUp(["works", "works", "works", "works", "works", "works", "works", "fails"]);
	for (let death = 0; death < 5; death += 1) {
		await supervisor.lease();
		kill();
		await clock.advance(FAILURE_WINDOW_MS);
	}
	expect(supervisor.health().state).toBe("ready");
	for (let death = 0; death < 5; death += 1) {
		kill();
		await clock.advance(3_000);
	}
	expect(supervisor.health()).toMatchObject({ state: "resting", message: expect.stringContaining("five times") });
	await expect(supervisor.lease()).rejects.toMatchObject({ code: "runtime-resting" });
	await clock.advance(10 * FAILURE_WINDOW_MS);
	expect(supervisor.health().state).toBe("resting");
	const before = starts.length;
	supervisor.wake();
	await clock.settle();
	expect(starts.length).toBe(before + 1);
	expect(supervisor.health().state).toBe("ready");
});

test("[RT47] a start that hangs is given up after its limit", async () => {
	const { supervisor, clock, forced } = setUp(["hangs"]);
	const lease = supervisor.lease().catch((error: unknown) => error);
	await clock.advance(START_LIMIT_MS);
	expect(await lease).toMatchObject({ code: "runtime-start-failed", message: expect.stringContaining("20 s") });
	expect(forced()).toBe(1);
});

test("[RT48] closing stops a running, a starting and a waiting runtime, and kills one that does not stop", async () => {
	const running = setUp();
	running.hangOnStop();
	const lease = await running.supervisor.lease();
	const closing = running.supervisor.close();
	await running.clock.advance(STOP_LIMIT_MS);
	await closing;
	expect(lease.gone.reason).toMatchObject({ code: "shutting-down" });
	expect(running.forced()).toBe(1);

	const waiting = setUp(["works"]);
	await waiting.supervisor.lease();
	waiting.kill();
	const next = waiting.supervisor.lease().catch((error: unknown) => error);
	await waiting.supervisor.close();
	expect(await next).toMatchObject({ code: "shutting-down" });
	await waiting.clock.advance(60_000);
	expect(waiting.starts).toHaveLength(1);
	expect(waiting.supervisor.health().state).toBe("stopped");
	await expect(waiting.supervisor.lease()).rejects.toMatchObject({ code: "shutting-down" });
});
