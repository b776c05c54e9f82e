import { type Beat, beatSchema, MAX_BEAT_BYTES } from "@rightseat/protocol/fleet/beat";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { fitBeat } from "./beats.ts";
import { createForwardClock } from "./forward-clock.ts";
import { createHostTable } from "./host-table.ts";

const HOST = "abcdefgh234567ab";
const beat = (more: Partial<Beat> = {}): Beat => ({
	...{
		host: HOST,
		instance: "run-00001",
		number: 1,
		intervalMs: 5_000,
		clock: 1_000,
		revision: 0,
		members: { version: 1, head: "" },
		heads: [],
	},
	...more,
});

test("[FL60] the clock of commands never goes back, and jumps ahead with the wall clock", async () => {
	const clock = createFakeClock(1_000_000);
	const read = createForwardClock(clock);
	expect(read()).toBe(1_000_000);
	await clock.advance(500);
	clock.jump(-3_600_000);
	expect(read()).toBe(1_000_500);
	await clock.advance(500);
	expect(read()).toBe(1_001_000);
	clock.jump(2 * 3_600_000);
	expect(read()).toBe(1_001_000 + 3_600_000);
});

test("[FL60] the clock of commands counts the time that the machine slept, also when its date was set back meanwhile", () => {
	let [elapsed, sinceBoot, wall] = [0, 50_000, 1_000_000];
	const read = createForwardClock({ now: () => wall, elapsed: () => elapsed, sinceBoot: () => sinceBoot });
	expect(read()).toBe(1_000_000);
	sinceBoot += 60_000;
	expect(read()).toBe(1_060_000);
	for (let second = 1; second <= 5; second += 1) {
		// Coarse, as some systems tell it: nothing adds up that did not pass.
		sinceBoot += 1_000;
		for (let part = 0; part < 10; part += 1) {
			elapsed += 100;
			wall += 100;
			expect(Math.abs(read() - (1_060_000 + elapsed))).toBeLessThanOrEqual(1_000);
		}
	}
});

test("[FL61] a host is online by its beats, offline after three that did not come, and told silent once", async () => {
	const clock = createFakeClock();
	const hosts = createHostTable({ clock, isMember: (host) => host === HOST });
	expect([hosts.find(HOST), hosts.beat(beat({ host: "strangerstranger" })), hosts.beat(beat())]).toEqual([undefined, false, true]);
	await clock.advance(15_000);
	expect([hosts.find(HOST)?.state, hosts.takeSilent()]).toEqual(["online", []]);
	await clock.advance(1);
	expect([hosts.find(HOST)?.state, hosts.takeSilent(), hosts.takeSilent()]).toEqual(["offline", [HOST], []]);
	expect(hosts.beat(beat({ number: 2 }))).toBe(true);
	// Nobody was there to be asked: that is known at once.
	hosts.unheard(HOST);
	expect([hosts.find(HOST), hosts.takeSilent()]).toMatchObject([{ state: "offline" }, [HOST]]);
	expect([hosts.beat(beat({ number: 3 })), hosts.find(HOST)?.state]).toEqual([true, "online"]);
	hosts.drop(HOST);
	expect(hosts.find(HOST)).toBeUndefined();
});

test("[FL353] time in which this host was cut off is no silence of the others; who was away before stays away, and clocks go on", async () => {
	const clock = createFakeClock();
	const hosts = createHostTable({ clock, isMember: () => true });
	const away = "awayawayawayaway";
	hosts.beat(beat({ host: away }));
	await clock.advance(16_000);
	hosts.beat(beat({ clock: 20_000 }));
	expect(hosts.takeSilent()).toEqual([away]);
	hosts.cutOff();
	await clock.advance(60_000);
	// Told again and again while it lasts; by then nobody has been heard for long.
	hosts.cutOff();
	expect([hosts.takeSilent(), hosts.find(HOST)?.state]).toEqual([[HOST], "offline"]);
	hosts.resumed();
	expect([hosts.find(HOST), hosts.find(away)?.state]).toMatchObject([{ state: "online", clock: 80_000 }, "offline"]);
	await clock.advance(15_001);
	expect([hosts.find(HOST)?.state, hosts.takeSilent()]).toEqual(["offline", [HOST]]);
});

test("[FL62] a beat that is repeated, late or of an earlier run changes nothing; the clock of a host is its last beat and the time since", async () => {
	const clock = createFakeClock();
	const hosts = createHostTable({ clock, isMember: () => true });
	hosts.beat(beat({ instance: "run-00002", number: 7, clock: 50_000 }));
	await clock.advance(2_000);
	const late = [beat({ instance: "run-00002", number: 7, clock: 90_000 }), beat({ instance: "run-00001", number: 99, clock: 49_999 })];
	expect(late.map((each) => hosts.beat(each))).toEqual([false, false]);
	expect(hosts.find(HOST)).toMatchObject({ clock: 52_000, name: HOST });
	expect(hosts.beat(beat({ instance: "run-00003", number: 1, clock: 50_001 }))).toBe(true);
	await clock.advance(60_000);
	expect(hosts.beat(beat({ instance: "run-00004", number: 1, clock: 5 }))).toBe(true);
	const card = { host: HOST, name: "laptop", version: "1", protocol: { min: 1, max: 1 }, platform: "linux", since: 1 };
	expect([hosts.card(card), hosts.find(HOST)?.name]).toEqual([true, "laptop"]);
});

test("[FL68] the next run of a host is heard at once though its clock went back, and the run before it never again", async () => {
	const clock = createFakeClock();
	const hosts = createHostTable({ clock, isMember: () => true });
	const ahead = beat({ instance: "run-00001", run: 4, number: 7, clock: 90_000_000 });
	hosts.beat(ahead);
	expect(hosts.beat(beat({ instance: "run-00002", run: 5, number: 1, clock: 5_000 }))).toBe(true);
	expect(hosts.find(HOST)).toMatchObject({ clock: 5_000, state: "online" });
	expect([hosts.beat({ ...ahead, number: 8 }), hosts.find(HOST)?.clock]).toEqual([false, 5_000]);
	await clock.advance(60_000);
	const recorded = beat({ instance: "run-00000", run: 3, number: 9, clock: 4_000 });
	expect([hosts.beat(recorded), hosts.find(HOST)?.state]).toEqual([false, "offline"]);
	// Recorded, or its disk and the engine's table were set back together: only the host itself can tell.
	const lower = beat({ instance: "run-00003", run: 2, number: 1, clock: 65_000 });
	expect([hosts.beat(lower), hosts.isDoubtful(lower), hosts.beat(lower, true)]).toEqual([false, true, true]);
	expect([hosts.isDoubtful(ahead), hosts.find(HOST)?.state]).toEqual([false, "online"]);
	await clock.advance(60_000);
	expect([hosts.beat({ ...ahead, run: 5 }), hosts.isDoubtful(ahead), hosts.isDoubtful({ ...ahead, isLast: true })]).toEqual([
		false,
		true,
		false,
	]);
	// One of an earlier version does not say which run it is.
	expect(hosts.beat(beat({ instance: "run-00004", number: 1, clock: 66_000 }))).toBe(true);
});

test("[FL63] a beat is never larger than it may be; heads that do not fit wait, none is lost", () => {
	const head = fc.record({
		...{ conversationId: fc.stringMatching(/^[\w-]{1,47}$/), generation: fc.nat(), epoch: fc.string({ minLength: 1, maxLength: 64 }) },
		...{ seq: fc.nat(), chain: fc.stringMatching(/^[0-9a-f]{16}$/) },
	});
	fc.assert(
		fc.property(fc.array(head, { maxLength: 130, size: "max" }), (heads) => {
			const { heads: _, ...rest } = beat();
			const fitted = fitBeat(rest, heads);
			expect(Buffer.byteLength(JSON.stringify(fitted.beat))).toBeLessThanOrEqual(MAX_BEAT_BYTES);
			expect(beatSchema.safeParse(fitted.beat).success).toBe(true);
			expect([...fitted.beat.heads, ...fitted.rest]).toEqual(heads);
			if (heads.length > 0) expect(fitted.beat.heads.length).toBeGreaterThan(0);
		}),
		{ numRuns: 50 },
	);
});
