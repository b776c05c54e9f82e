import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { BUSY_LIMIT_MS, PING_EVERY_MS, PING_LIMIT_MS, startHeartbeat } from "./heartbeat.ts";

function watch(ping: () => Promise<unknown>, lastSignAt = () => 0) {
	const clock = createFakeClock();
	const deaths: string[] = [];
	const stop = startHeartbeat({ ping, lastSignAt, cpuMs: async () => 0, clock, onDeath: (because) => deaths.push(because) });
	return { clock, deaths, stop };
}
const never = () => new Promise<never>(() => undefined);

test("[RT43] a runtime that answers is left alone", async () => {
	let pings = 0;
	const { clock, deaths, stop } = watch(async () => {
		pings += 1;
	});
	await clock.advance(20 * PING_EVERY_MS);
	expect(pings).toBe(20);
	expect(deaths).toEqual([]);
	stop();
	await clock.advance(10 * PING_EVERY_MS);
	expect(pings).toBe(20);
	expect(clock.pending()).toBe(0);
});

test("[RT43] a failed ping is the end at once, silence after its limit, both once and within five seconds", async () => {
	const refused = watch(() => Promise.reject(new Error("Connection is closed.")));
	await refused.clock.advance(PING_EVERY_MS);
	expect(refused.deaths).toEqual(["its process ended"]);

	const silent = watch(never);
	await silent.clock.advance(PING_EVERY_MS + PING_LIMIT_MS);
	expect(silent.deaths).toEqual(["no answer for 3 s"]);
	await silent.clock.advance(60_000);
	expect(silent.deaths).toHaveLength(1);
	expect(PING_EVERY_MS + PING_LIMIT_MS).toBeLessThan(5_000);
});

test("[RT44] a runtime that is slow to answer but still sends events lives", async () => {
	const clock = createFakeClock();
	const deaths: string[] = [];
	let lastSignAt = 0;
	startHeartbeat({
		ping: never,
		lastSignAt: () => lastSignAt,
		cpuMs: async () => undefined,
		clock,
		onDeath: (because) => deaths.push(because),
	});
	for (let second = 0; second < 30; second += 1) {
		await clock.advance(1_000);
		lastSignAt = clock.now();
	}
	expect(deaths).toEqual([]);
	await clock.advance(3 * PING_LIMIT_MS);
	expect(deaths).toHaveLength(1);
});

test("[RT44] a delay of our own process is not blamed on the runtime", async () => {
	let time = 0;
	const timers: (() => void)[] = [];
	const deaths: string[] = [];
	const push = (run: () => void) => {
		timers.push(run);
		return () => undefined;
	};
	const clock = {
		now: () => time,
		elapsed: () => time,
		after: (_ms: number, run: () => void) => push(run),
		soon: (run: () => void) => push(run),
	};
	let pings = 0;
	startHeartbeat({
		ping: () => {
			pings += 1;
			return never();
		},
		lastSignAt: () => 0,
		cpuMs: async () => undefined,
		clock,
		onDeath: (because) => deaths.push(because),
	});
	timers.shift()?.();
	time += PING_LIMIT_MS + 10_000;
	timers.shift()?.();
	timers.shift()?.();
	expect(deaths).toEqual([]);
	expect(pings).toBe(2);
});

test("[RT115] a runtime that answers nobody but works lives, for a minute; one that spends no processor time is dead", async () => {
	const clock = createFakeClock();
	const deaths: string[] = [];
	let works = true;
	let spent = 0;
	const cpuMs = async () => {
		if (works) spent += 500;
		return spent;
	};
	const start = () => startHeartbeat({ ping: never, lastSignAt: () => 0, cpuMs, clock, onDeath: (because) => deaths.push(because) });
	start();
	await clock.advance(30_000);
	expect(deaths).toEqual([]);
	works = false;
	await clock.advance(2 * PING_LIMIT_MS);
	expect(deaths).toEqual([expect.stringMatching(/^no answer for 3\d s$/)]);
	works = true;
	start();
	await clock.advance(BUSY_LIMIT_MS);
	expect(deaths).toHaveLength(1);
	await clock.advance(3 * PING_LIMIT_MS);
	expect(deaths).toEqual([expect.any(String), expect.stringMatching(/^no answer for 6\d s$/)]);
});
