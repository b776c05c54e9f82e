import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { START_LIMIT_MS, STOP_LIMIT_MS } from "./client-starter.ts";
import { createSupervisor, FAILURE_WINDOW_MS } from "./supervisor.ts";
import { LOOK_EVERY_MS, REPLACE_EVERY_MS } from "./watch-memory.ts";

type Behaviour = "works" | "fails" | "hangs" | "silent";

/** A client that does what it is told, at the edge to the SDK. */
function setUp(behaviour: Behaviour[] = []) {
	const clock = createFakeClock();
	const starts: Behaviour[] = [];
	const states: string[] = [];
	const exits: (() => void)[] = [];
	let forced = 0;
	let stopHangs = false;
	let rssBytes = 500;
	const stops: number[] = [];
	const supervisor = createSupervisor({
		provider: () => "byok",
		clock,
		logger: silentLogger,
		createClient() {
			const how = behaviour[starts.length] ?? "works";
			starts.push(how);
			const number = starts.length;
			return {
				number,
				start: () =>
					how === "works" || how === "silent"
						? Promise.resolve()
						: how === "fails"
							? Promise.reject(new Error("bad binary"))
							: new Promise<void>(() => undefined),
				stop: () => {
					stops.push(number);
					return stopHangs ? new Promise(() => undefined) : Promise.resolve();
				},
				forceStop: async () => {
					forced += 1;
				},
				ping: async () => undefined,
				getStatus: () => (how === "silent" ? new Promise<{ version: string }>(() => undefined) : Promise.resolve({ version: "1" })),
			};
		},
		watchOutput: () => () => undefined,
		vitals: async () => ({ rssBytes, cpuMs: 0 }),
		memory: { replaceAboveBytes: 1_000, endAboveBytes: 5_000 },
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
		exits,
		kill: () => exits.at(-1)?.(),
		forced: () => forced,
		stops,
		grow: (bytes: number) => {
			rssBytes = bytes;
		},
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
	expect(supervisor.health()).toMatchObject({
		state: "resting",
		message: expect.stringContaining("five times"),
		code: "runtime-resting",
		params: { because: expect.any(String) },
	});
	await expect(supervisor.lease()).rejects.toMatchObject({ code: "runtime-resting" });
	await clock.advance(10 * FAILURE_WINDOW_MS);
	expect(supervisor.health().state).toBe("resting");
	const before = starts.length;
	supervisor.reset();
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

test("[RT117] closing stops the runtime in an orderly way, once", async () => {
	const { supervisor, stops, forced } = setUp();
	await supervisor.lease();
	await supervisor.close();
	await supervisor.close();
	expect({ stops, forced: forced() }).toEqual({ stops: [1], forced: 0 });
});

test("[RT118] a runtime that has grown large is replaced: new turns get the fresh one, running ones end on the old one, then it stops", async () => {
	const { supervisor, clock, stops, states, starts, grow } = setUp();
	const old = await supervisor.lease();
	const release = old.hold();
	grow(2_000);
	await clock.advance(REPLACE_EVERY_MS - LOOK_EVERY_MS);
	expect(starts).toHaveLength(1);
	await clock.advance(2 * LOOK_EVERY_MS);
	const fresh = await supervisor.lease();
	expect(fresh.client.number).toBe(2);
	expect({ retired: old.retired, gone: old.gone.aborted, stops }).toEqual({ retired: true, gone: false, stops: [] });
	expect(states).toEqual(["starting", "ready", "ready"]);
	// However large the fresh one is: there are never more than two.
	await clock.advance(2 * REPLACE_EVERY_MS);
	expect(starts).toHaveLength(2);
	release();
	release();
	await clock.settle();
	await old.stopped;
	expect({ gone: old.gone.aborted, stops, ready: fresh.gone.aborted }).toEqual({ gone: true, stops: [1], ready: false });
});

test("[RT118] a fresh runtime that does not start changes nothing, and one that nobody uses is replaced at once", async () => {
	const { supervisor, clock, stops, grow } = setUp(["works", "fails", "works"]);
	const old = await supervisor.lease();
	grow(2_000);
	await clock.advance(REPLACE_EVERY_MS);
	expect(await supervisor.lease()).toBe(old);
	expect(supervisor.health().state).toBe("ready");
	await clock.advance(LOOK_EVERY_MS);
	expect((await supervisor.lease()).client.number).toBe(3);
	expect(stops).toEqual([1]);
});

test("[RT119] a runtime above the last limit ends, with a sentence, whether it is the one in use or the one that was replaced", async () => {
	const { supervisor, clock, grow } = setUp();
	const first = await supervisor.lease();
	grow(6_000);
	await clock.advance(LOOK_EVERY_MS);
	expect(first.gone.reason).toMatchObject({ code: "runtime-died", message: expect.stringContaining("RIGHTSEAT_RUNTIME_MAX_MEMORY_MB") });
	grow(2_000);
	await clock.advance(1_000);
	const second = await supervisor.lease();
	second.hold();
	await clock.advance(REPLACE_EVERY_MS + LOOK_EVERY_MS);
	const third = await supervisor.lease();
	expect(third).not.toBe(second);
	grow(6_000);
	await clock.advance(LOOK_EVERY_MS);
	expect(second.gone.aborted).toBe(true);
});

test("[RT120] a replaced runtime that dies ends its own turns only", async () => {
	const { supervisor, clock, grow, exits } = setUp();
	const old = await supervisor.lease();
	old.hold();
	grow(2_000);
	await clock.advance(REPLACE_EVERY_MS + LOOK_EVERY_MS);
	const fresh = await supervisor.lease();
	exits[1]?.();
	await clock.settle();
	expect(old.gone.reason).toMatchObject({ code: "runtime-died" });
	expect(fresh.gone.aborted).toBe(false);
	expect(await supervisor.lease()).toBe(fresh);
	expect(supervisor.health().state).toBe("ready");
});

test("[RT161] whoever closes the runtime a second time waits until it has stopped", async () => {
	const { supervisor, clock, hangOnStop, forced } = setUp();
	await supervisor.lease();
	hangOnStop();
	const ends: string[] = [];
	void supervisor.close().then(() => ends.push("first"));
	void supervisor.close().then(() => ends.push("second"));
	await clock.settle();
	expect(ends).toEqual([]);
	await clock.advance(STOP_LIMIT_MS + 1);
	expect([ends, forced()]).toEqual([["first", "second"], 1]);
});
