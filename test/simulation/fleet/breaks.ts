import { loadSqlite } from "../../../packages/server/src/store/sqlite/sqlite-loader.ts";
import type { Step } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import { FINE, type Way, type Weather } from "./engine.ts";
import { awake, type FleetScene, type Member } from "./scene.ts";

/** A connection to a host that does not answer is given up after so long. */
const STALE_MS = 6_000;
const HOUR_MS = 3_600_000;
/** So many recorded messages go out again together. */
const REPLAYED = 8;
/** Messages of the engine in a fleet whose operator is stingy: snapshots and answers need several. */
const SMALL_BYTES = 5_600;
const USUAL_BYTES = 921_600;

/** Everything that can happen to hosts and to what carries their words. */
export function breakSteps(scene: FleetScene): Readonly<Record<string, (step: Step) => void | Promise<void>>> {
	const { world, engine, members, examiner } = scene;
	const member = (step: Step) => pickBy(members, step.a);
	const wayOf = (step: Step): Way | undefined => {
		const one = member(step);
		return one && engine.way(one.id);
	};
	return {
		weather(step) {
			const way = wayOf(step);
			if (way === undefined) return;
			const weather: Weather = pickBy(WEATHERS, step.b) ?? FINE;
			if (step.c < 0.6) way.up = weather;
			if (step.c > 0.4) way.down = weather;
		},
		cut(step) {
			const one = member(step);
			if (one === undefined) return;
			world.count("fleet: a host was cut off");
			cut(scene, one, true);
		},
		lonely(step) {
			const way = wayOf(step);
			world.count("fleet: a node was cut from the others");
			if (way !== undefined) way.lonely = pickBy(["deaf", "mute", "both"] as const, step.b) ?? "both";
		},
		"engine-gone"() {
			engine.setGone(true);
			world.count("fleet: the engine was gone");
			lookAll(scene);
		},
		"engine-forgets"(step) {
			world.count("fleet: the engine forgot");
			if (step.a < 0.5) engine.forgetCopies(step.b < 0.5);
			else engine.forgetTables(pickBy([/_HOSTS$/, /_LEASE$/, /_MEMBERS$/, /./], step.b) ?? /./);
		},
		"small-messages": () => engine.limit(SMALL_BYTES),
		heal(step) {
			const one = member(step);
			if (step.c < 0.3) return healAll(scene);
			if (one !== undefined) heal(scene, one);
		},
		pause(step) {
			const one = member(step);
			const { time } = one ?? {};
			if (one === undefined || time === undefined || time.isDead() || time.isPaused()) return;
			const how = step.b < 0.5 ? "asleep" : "frozen";
			if (one.run?.lease.fence() !== undefined) world.count(`fleet: the holder was ${how}`);
			world.count(`fleet: a host was ${how}`);
			time.pause(how);
			world.clock.after(STALE_MS, () => {
				if (time.isPaused() && one.time === time) engine.way(one.id).isCut = true;
			});
		},
		wake(step) {
			const one = member(step);
			if (one?.time?.isPaused() !== true) return;
			wake(scene, one);
			if (step.b < 0.4) setDate(scene, one, Math.floor(step.c * 8 * HOUR_MS));
		},
		date(step) {
			const one = member(step);
			if (one !== undefined) setDate(scene, one, Math.floor((step.b - 0.5) * (step.c < 0.5 ? 6 * HOUR_MS : 60_000)));
		},
		kill: (step) => member(step)?.host.kill(),
		"cut-power": (step) => member(step)?.host.cutPower(),
		"kill-in-disk"(step) {
			const at = pickBy(["any", "begin", "write", "commit"] as const, step.b) ?? "any";
			const when = step.c < 0.5 ? "before" : "after";
			member(step)?.host.planDeath({ calls: 1 + Math.floor(step.c * 6), at, when, isPowerCut: step.c > 0.8 });
		},
		stop(step) {
			const one = awake(scene).find((each) => each.id === member(step)?.id);
			if (one !== undefined) void one.host.stop();
		},
		start: (step) => member(step)?.host.start(),
		"slow-disk": (step) => member(step)?.host.setSync(step.b < 0.7 ? { kind: "slow", ms: Math.floor(step.c * 4_000) } : { kind: "stuck" }),
		"full-disk": (step) => member(step)?.host.fill(Math.floor(step.b * 3)),
		mend: (step) => member(step)?.host.mend(),
		copy(step) {
			const one = member(step);
			if (one !== undefined) keepCopy(one);
		},
		"put-back"(step) {
			const one = member(step);
			const copy = pickBy(one?.copies ?? [], step.b);
			if (one === undefined || copy === undefined) return;
			const isBackup = step.c < 0.5;
			world.count(isBackup ? "fleet: a backup was put back" : "fleet: a disk was rolled back");
			one.host.putBack(copy, isBackup ? markAsBackup : undefined);
			examiner.putBack(one, scene.letters);
			if (!isBackup) rolledBack(scene, one);
			one.host.start();
		},
		replay(step) {
			const first = Math.floor(step.a * engine.heard.length);
			for (const { subject, bytes } of engine.heard.slice(first, first + REPLAYED)) {
				const [again, other] = [Buffer.from(bytes), pickBy(members, step.c)];
				if (step.b < 0.5) {
					world.count("fleet: something was said again by the operator");
					engine.inject(subject, again);
				} else if (step.b < 0.75) {
					world.count("fleet: something was altered by the operator");
					const at = Math.floor(step.c * again.length);
					again[at] = (again[at] ?? 0) ^ 1;
					engine.inject(subject, again);
				} else if (other !== undefined) {
					world.count("fleet: something was moved by the operator");
					engine.inject(subject.replace(/[^.]+$/, other.id), again);
				}
			}
		},
		...Object.fromEntries(TIMES.map(([name, ms]) => [name, (step: Step) => pass(scene, Math.floor(ms * (0.5 + step.a)))])),
	};
}

/** How long things take: signs of life come every 5 s, silence is noticed after 15 s, commands live for a minute. */
const TIMES = [
	["seconds", 3_000],
	["half-a-minute", 25_000],
	["minutes", 80_000],
] as const;

const WEATHERS: readonly Weather[] = [
	FINE,
	{ lost: 0.3, doubled: 0, late: 0 },
	{ lost: 0.9, doubled: 0, late: 0 },
	{ lost: 0, doubled: 0.5, late: 0 },
	{ lost: 0, doubled: 0.2, late: 0.7 },
	{ lost: 0.2, doubled: 0.2, late: 0.4 },
];

/** Time passes, and in it what must always hold is looked at. */
async function pass(scene: FleetScene, ms: number): Promise<void> {
	for (let left = ms; left > 0; left -= 500) {
		await scene.world.clock.advance(Math.min(500, left));
		scene.examiner.check(scene.members);
	}
}

/** Its disk as it is now, for later. */
export function keepCopy(member: Member): void {
	const copy = member.host.copyDisk();
	if (copy !== undefined) member.copies.push(copy);
}

export function setDate({ world, examiner }: FleetScene, member: Member, ms: number): void {
	world.count(ms < 0 ? "fleet: a date was set back" : "fleet: a date was set ahead");
	if (ms < 0) examiner.setBack(member, -ms);
	member.aheadMs += ms;
	member.time?.jump(ms);
}

function cut({ engine }: FleetScene, member: Member, isCut: boolean): void {
	engine.way(member.id).isCut = isCut;
	member.run?.line.look();
}

function wake(scene: FleetScene, member: Member): void {
	const { time } = member;
	time?.resume();
	if (!scene.engine.way(member.id).isCut) return;
	// Its connection is gone, and it connects again.
	member.run?.line.look();
	scene.world.clock.after(300, () => cut(scene, member, false));
}

function heal(scene: FleetScene, member: Member): void {
	Object.assign(scene.engine.way(member.id), { up: FINE, down: FINE, lonely: "no" });
	if (member.time?.isPaused() === true) wake(scene, member);
	else cut(scene, member, false);
}

/** The network carries everything, and everybody is awake. */
export function healAll(scene: FleetScene): void {
	scene.engine.setGone(false);
	scene.engine.limit(USUAL_BYTES);
	for (const member of scene.members) heal(scene, member);
	lookAll(scene);
}

function lookAll({ members }: FleetScene): void {
	for (const { run } of members) run?.line.look();
}

/** What `rightseat restore` leaves: the next start begins new epochs. */
function markAsBackup(path: string): void {
	const database = new (loadSqlite().module.DatabaseSync)(path);
	database.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('shutdown', 'backup')");
	database.close();
}

function rolledBack({ members, readers }: FleetScene, one: Member): void {
	for (const { run } of members) if (run !== undefined) one.witnesses.add(run);
	for (const reader of readers) if (reader.owner === one) reader.rolledBack();
}
