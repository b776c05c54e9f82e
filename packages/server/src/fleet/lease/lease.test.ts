import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../../../../../test/support/fake-clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Bucket, BucketEntry } from "../bus.ts";
import { createFences } from "../commands/fences.ts";
import { parseJson } from "../crypto/parse-json.ts";
import { createSealer } from "../crypto/seal.ts";
import { createLease, HOLD_MS, type LeaseCodec, RENEW_MS, TAKE_MS } from "./lease.ts";
import { createLeaseCodec } from "./lease-codec.ts";

const plain: LeaseCodec = { write: (value) => JSON.stringify(value), read: parseJson };

/** One table that can be deleted, and whose answers can be lost after they took effect. */
function createTable() {
	let entry: BucketEntry | undefined;
	let revision = 0;
	return {
		entry: () => entry,
		delete: () => {
			entry = undefined;
		},
		write(value: string, expected: number | undefined): number | undefined {
			if (entry?.revision !== expected) return undefined;
			revision += 1;
			entry = { value, revision };
			return revision;
		},
	};
}

/** A host whose process can be frozen, whose machine can sleep and whose way to the table can be cut. */
function createHost(clock: FakeClock, table: ReturnType<typeof createTable>, holder: string) {
	let [frozenUntil, sleptMs, aheadMs] = [0, 0, 0];
	let trouble: "none" | "cut" | "answers-lost" = "none";
	const after = (ms: number, run: () => void) =>
		clock.after(ms, () => (frozenUntil > clock.elapsed() ? clock.after(frozenUntil - clock.elapsed(), run) : run()));
	const pause = (ms: number) => new Promise<void>((resolve) => void after(ms, resolve));
	async function visit<T>(work: () => T): Promise<T> {
		await pause(20);
		if (trouble === "cut") throw new AppError("fleet-not-connected", "Cut.");
		const result = work();
		await pause(20);
		if (trouble === "answers-lost") throw new AppError("fleet-not-connected", "Lost.");
		return result;
	}
	const bucket: Bucket = {
		get: () => visit(() => table.entry()),
		put: (_, value, expected) => visit(() => table.write(value, expected)),
	};
	const own = { now: () => clock.now() + aheadMs, elapsed: () => clock.elapsed() - sleptMs, sinceBoot: clock.sinceBoot };
	const lease = createLease({
		name: "telegram.1",
		holder,
		bucket,
		codec: plain,
		clock: own,
		fences: createFences(new Map(), () => undefined),
	});
	const loop = async (): Promise<void> => {
		for (;;) {
			await lease.step();
			await pause(RENEW_MS);
		}
	};
	void loop();
	return {
		lease,
		isAwake: () => frozenUntil <= clock.elapsed(),
		freeze: (ms: number) => {
			frozenUntil = Math.max(frozenUntil, clock.elapsed() + ms);
		},
		sleep: (ms: number) => {
			frozenUntil = Math.max(frozenUntil, clock.elapsed() + ms);
			sleptMs += ms;
		},
		setDate: (ms: number) => {
			aheadMs += ms;
		},
		trouble: (next: typeof trouble) => {
			trouble = next;
		},
	};
}

const holders = (hosts: readonly ReturnType<typeof createHost>[]) =>
	hosts.filter(({ lease, isAwake }) => isAwake() && lease.fence() !== undefined);

test("[FL90] however hosts freeze, sleep, are set back, are cut off or the table is deleted, there are never two holders, and soon one again", async () => {
	const kind = fc.constantFrom("freeze", "freeze", "sleep", "date", "cut", "answers-lost", "none", "none", "delete", "pass", "pass");
	const step = fc.record({ kind, host: fc.nat(2), ms: fc.integer({ min: 100, max: 15_000 }) });
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			const clock = createFakeClock();
			const table = createTable();
			const hosts = ["a", "b", "c"].map((name) => createHost(clock, table, name));
			const pass = async (ms: number) => {
				for (let passed = 0; passed < ms; passed += 250) {
					await clock.advance(250);
					expect(holders(hosts).length).toBeLessThanOrEqual(1);
				}
			};
			await pass(TAKE_MS + 2 * RENEW_MS);
			expect(holders(hosts)).toHaveLength(1);
			for (const { kind: what, host, ms } of steps) {
				if (what === "freeze") hosts[host]?.freeze(ms);
				else if (what === "sleep") hosts[host]?.sleep(ms);
				else if (what === "date") hosts[host]?.setDate(-ms);
				else if (what === "delete") table.delete();
				else if (what !== "pass") hosts[host]?.trouble(what === "cut" || what === "answers-lost" ? what : "none");
				await pass(what === "pass" ? ms : 500);
			}
			for (const host of hosts) host.trouble("none");
			await pass(30_000);
			expect(holders(hosts)).toHaveLength(1);
		}),
		{ numRuns: 40 },
	);
});

test("[FL90] a host that was cut off since nothing was there does not take what was deleted while another holds it", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const [a, b] = [createHost(clock, table, "a"), createHost(clock, table, "b")];
	await clock.advance(30);
	b.trouble("cut");
	await clock.advance(2 * TAKE_MS);
	expect(a.lease.fence()).toBe(1);
	table.delete();
	b.trouble("none");
	a.trouble("cut");
	for (let passed = 0; passed < TAKE_MS + 4 * RENEW_MS; passed += 100) {
		await clock.advance(100);
		expect(holders([a, b]).length).toBeLessThanOrEqual(1);
	}
	expect([a.lease.fence(), b.lease.fence()]).toEqual([undefined, expect.any(Number)]);
});

test("[FL90] who stops while it waits for the end of an earlier holder gives nobody what it did not have", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const [a, b] = [createHost(clock, table, "a"), createHost(clock, table, "b")];
	b.trouble("cut");
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	expect(a.lease.fence()).toBe(1);
	// A moment after it was renewed: it is held for five seconds more.
	a.trouble("cut");
	table.delete();
	b.trouble("none");
	await clock.advance(RENEW_MS + 100);
	expect(table.entry()?.value).toContain('"b"');
	void b.lease.release();
	await clock.advance(100);
	b.trouble("cut");
	const c = createHost(clock, table, "c");
	for (let passed = 0; passed < TAKE_MS + 4 * RENEW_MS; passed += 100) {
		await clock.advance(100);
		expect(holders([a, b, c]).length).toBeLessThanOrEqual(1);
	}
	expect(c.lease.fence()).toBeDefined();
});

test("[FL91] a holder that dies is followed within twelve seconds, by one with a larger number; one that lets go, at the next look", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const [a, b] = [createHost(clock, table, "a"), createHost(clock, table, "b")];
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	const [holder, other] = a.lease.fence() === undefined ? [b, a] : [a, b];
	expect(holder.lease.fence()).toBe(1);
	holder.freeze(60_000);
	await clock.advance(12_000);
	expect(other.lease.fence()).toBe(2);
	await clock.advance(60_000);
	expect(holder.lease.fence()).toBeUndefined();
	const released = other.lease.release();
	await clock.advance(2 * RENEW_MS);
	await released;
	expect([a.lease.fence(), b.lease.fence()].filter((each) => each !== undefined)).toEqual([3]);
});

test("[FL90] a holder that finds another's entry in place of its own leaves it alone", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const host = createHost(clock, table, "a");
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	expect(host.lease.fence()).toBe(1);
	const theirs = JSON.stringify({ holder: "b", fence: 2, isReleased: false });
	table.write(theirs, table.entry()?.revision);
	await clock.advance(4 * RENEW_MS);
	expect([host.lease.fence(), table.entry()?.value]).toEqual([undefined, theirs]);
});

test("[FL92] the number goes up also when the table was deleted, and a machine that slept is not the holder when it wakes", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const only = createHost(clock, table, "a");
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	only.sleep(HOLD_MS);
	await clock.advance(HOLD_MS);
	expect(only.lease.fence()).toBeUndefined();
	await clock.advance(2 * RENEW_MS);
	table.delete();
	await clock.advance(TAKE_MS + 4 * RENEW_MS);
	expect(only.lease.fence()).toBe(2);
});

test("[FL92] a holder that has seen that its time is over is none again when its date is set back", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const [a, b] = [createHost(clock, table, "a"), createHost(clock, table, "b")];
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	expect(a.lease.fence()).toBe(1);
	a.sleep(2 * TAKE_MS);
	a.trouble("cut");
	await clock.advance(2 * TAKE_MS);
	expect([a.lease.fence(), b.lease.fence()]).toEqual([undefined, 2]);
	a.setDate(-2 * TAKE_MS);
	expect(a.lease.fence()).toBeUndefined();
});

test("[FL92] a machine whose date is set back, while it sleeps, by as much as it sleeps is not the holder when it wakes", async () => {
	const clock = createFakeClock();
	const host = createHost(clock, createTable(), "a");
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	expect(host.lease.fence()).toBe(1);
	host.sleep(2 * TAKE_MS);
	await clock.advance(2 * TAKE_MS);
	host.setDate(-2 * TAKE_MS);
	expect(host.lease.fence()).toBeUndefined();
});

test("[FL93] an entry that the operator made up counts as nobody's: it is taken over, and its number is not believed", async () => {
	const key = randomBytes(32);
	const sealer = createSealer("fleetfleetfleetf", { current: () => 1, find: () => key });
	const codec = createLeaseCodec(sealer, "fleetfleetfleetf", "telegram.1", "abcdefgh234567ab");
	const value = { holder: "a", fence: 3, isReleased: false };
	expect([codec.read(codec.write(value)), codec.read(JSON.stringify(value)), codec.read("")]).toEqual([value, undefined, undefined]);
	const clock = createFakeClock();
	const table = createTable();
	table.write('{"holder":"evil","fence":9e15,"isReleased":"no"}', undefined);
	const host = createHost(clock, table, "a");
	await clock.advance(TAKE_MS + 2 * RENEW_MS);
	expect(host.lease.fence()).toBe(1);
});

test("[FL90] a holder whose other clocks stand still is none any more when its time is over", async () => {
	const clock = createFakeClock();
	const table = createTable();
	const bucket: Bucket = { get: async () => table.entry(), put: async (_, value, expected) => table.write(value, expected) };
	const own = { now: () => 1_000_000, elapsed: clock.elapsed, sinceBoot: () => 0 };
	const fences = createFences(new Map(), () => undefined);
	const lease = createLease({ name: "telegram.1", holder: "a", bucket, codec: plain, clock: own, fences });
	await lease.step();
	await clock.advance(TAKE_MS);
	await lease.step();
	expect(lease.fence()).toBe(1);
	await clock.advance(HOLD_MS);
	expect(lease.fence()).toBeUndefined();
});
