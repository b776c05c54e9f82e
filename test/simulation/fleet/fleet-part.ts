import { fault, type JoinedPart, type Part, type StepKind, type World } from "../frame/part.ts";
import { breakSteps, healAll, keepCopy } from "./breaks.ts";
import { createEngine } from "./engine.ts";
import { createExaminer } from "./examiner.ts";
import { startFleet } from "./fleet-run.ts";
import { createHostClock } from "./host-clock.ts";
import { FLEET_COVERS, FLEET_INVARIANTS } from "./invariants.ts";
import { examineFleet, settleFleet } from "./peace.ts";
import { peopleSteps } from "./people.ts";
import { createPlaces, type Places } from "./places.ts";
import { createReader } from "./reader.ts";
import type { FleetScene, Member } from "./scene.ts";
import { workerSteps } from "./workers.ts";

const kind = (name: string, weight: number): StepKind => ({ name, weight });

const KINDS: readonly StepKind[] = [
	...[
		kind("prompt", 14),
		kind("command", 4),
		kind("again", 4),
		kind("task", 4),
		fault("old-task", 2),
		kind("stop", 2),
		kind("answer", 4),
		kind("decide", 4),
	],
	...[kind("queue", 3), kind("outbox", 4), kind("look", 6), kind("begin", 2), kind("seen", 2)],
	...[kind("agent-says", 14), kind("agent-ends", 6), kind("agent-asks", 6), kind("shell", 4)],
	...[kind("seconds", 12), kind("half-a-minute", 3), kind("minutes", 0.7)],
	...[fault("weather", 6), fault("cut", 3), fault("lonely", 2), fault("engine-gone", 2), fault("engine-forgets", 2), kind("heal", 10)],
	...[fault("small-messages", 1), fault("pause", 4), kind("wake", 8), fault("date", 2), fault("replay", 4)],
	...[fault("kill", 3), fault("cut-power", 2), fault("kill-in-disk", 5), fault("stop-host", 1), kind("start", 8)],
	...[fault("slow-disk", 2), fault("full-disk", 1), kind("mend", 3), fault("copy", 2), fault("put-back", 3)],
];

/** It must be as peaceful as it was promised within so much of peace. */
const PEACE_MS = 90_000;
/** A round of a fleet costs as much as several others. */
const ALONE_EVERY = 8;
/** Steps of no plan have numbers of their own. */
const FIRST_OF_WORK = 10_000;
/** A fleet of three in every other round. */
const SMALL = 2;

/** Two or three hosts of one fleet, people on all of them, and everything that can happen between them. */
export function createFleetPart(places: Places = createPlaces()): Part {
	return {
		name: "fleet",
		kinds: KINDS,
		invariants: FLEET_INVARIANTS,
		covers: FLEET_COVERS,
		aloneEvery: ALONE_EVERY,
		join: (world) => joinWorld(world, places),
	};
}

function joinWorld(world: World, places: Places): JoinedPart {
	const random = world.random("fleet");
	const count = random.next() < 0.5 ? SMALL : SMALL + 1;
	const engine = createEngine({
		clock: world.clock,
		random: world.random("network of the fleet"),
		count: (what) => world.count(`fleet: ${what}`),
	});
	const members = places.keys
		.slice(0, count)
		.map((keys, index) => addMember(world, places, { index, count, id: keys.host, aheadMs: datesOff(random.next()) }));
	const scene: FleetScene = {
		world,
		engine,
		members,
		readers: new Set(),
		letters: [],
		alike: new WeakMap(),
		examiner: createExaminer(world),
	};
	let calmAt: number | undefined;
	const memberOf = (host: Member["host"]) => members.find((member) => member.host === host);
	const { stop, ...breaks } = breakSteps(scene);
	const [people, workers] = [peopleSteps(scene), workerSteps(scene)];
	/** Before anything breaks: turns that run, and pages that show them. */
	async function work(): Promise<void> {
		for (let at = FIRST_OF_WORK; random.next() < 0.8 && at < FIRST_OF_WORK + 4; at += 1) {
			const step = { part: "fleet", a: random.next(), b: random.next(), c: random.next(), waitMs: 0, at };
			await people.prompt?.({ ...step, kind: "prompt" });
			await world.clock.advance(500);
			workers["agent-says"]?.({ ...step, kind: "agent-says" });
		}
	}
	return {
		play: { ...people, ...workers, ...breaks, "stop-host": stop ?? (() => undefined) },
		async begin() {
			if (random.next() < 0.8) await world.clock.advance(12_000);
			for (const { run } of members) void run?.life.conversations.create({});
			await world.clock.advance(1_500);
			for (const member of members) if (random.next() < 0.3) keepCopy(member);
			for (const here of members) for (const owner of members) if (here !== owner && random.next() < 0.7) lookAt(scene, here, owner);
			await work();
		},
		started(host, life) {
			const member = memberOf(host);
			const { time } = member ?? {};
			if (member === undefined || time === undefined) return;
			const deps = { life, host: member.id, name: host.name, home: member.home, hostClock: time, engine };
			member.run = startFleet({ ...deps, witness: scene.examiner.witness(member), ids: scene.examiner.ids() });
			life.hostLog?.onEvents((events) => {
				for (const { conversationId: id, epoch, seq, frame } of events) scene.examiner.said(member, id, { epoch, seq, frame });
			});
			for (const reader of scene.readers) if (reader.console === member) reader.open();
		},
		async stopping(host) {
			const { run } = memberOf(host) ?? {};
			run?.everywhere.close();
			await run?.fleet.close();
		},
		ended(host) {
			const member = memberOf(host);
			if (member === undefined) return;
			for (const reader of scene.readers) if (reader.console === member) reader.close();
			member.run = undefined;
		},
		check() {
			scene.examiner.check(members);
			for (const reader of scene.readers) reader.open();
		},
		calm() {
			calmAt = world.clock.elapsed();
			healAll(scene);
		},
		rest() {
			const why = settleFleet(scene);
			if (why !== undefined && world.clock.elapsed() - (calmAt ?? 0) > PEACE_MS)
				world.violate("fleet-peace", `After ${PEACE_MS / 1_000} s of peace ${why}`);
			return why === undefined;
		},
		examine: () => examineFleet(scene),
	};
}

function addMember(
	world: World,
	places: Places,
	{ index, count, id, aheadMs }: { index: number; count: number; id: string; aheadMs: number },
): Member {
	const name = `host${index}`;
	const member: Member = {
		host: world.addHost({
			...{ name, isInFleet: true },
			createTime() {
				const time = createHostClock(world.clock, member.aheadMs);
				member.time = time;
				return time;
			},
		}),
		...{ id, home: places.home(index, count), time: undefined, run: undefined, aheadMs, copies: [], witnesses: new Set() },
	};
	return member;
}

/** Clocks are wrong by nothing, by some seconds or by hours. */
function datesOff(number: number): number {
	if (number < 0.4) return 0;
	return number < 0.7 ? Math.floor((number - 0.55) * 100_000) : Math.floor((number - 0.85) * 48 * 3_600_000);
}

function lookAt(scene: FleetScene, here: Member, owner: Member): void {
	const own = owner.run?.life.conversations.list({ limit: 1 }).conversations[0];
	if (own === undefined) return;
	const reader = createReader(scene.world, { console: here, owner, ownId: own.id }, scene.examiner.shown);
	scene.readers.add(reader);
	reader.open();
}
