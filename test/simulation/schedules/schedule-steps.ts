import { conversationId, scheduleId } from "../../../packages/server/src/core/kernel/ids.ts";
import type { Operation } from "../frame/engine.ts";
import { fault, type Step, type StepKind } from "../frame/part.ts";
import { pickBy } from "../frame/plan.ts";
import { rowsOf, type StoredSchedule } from "./examine-schedules.ts";
import type { KnownSchedule, ScheduleScene } from "./schedules-part.ts";

export const SCHEDULE_KINDS: readonly StepKind[] = [
	{ name: "schedule-at", weight: 10 },
	{ name: "schedule-every-minute", weight: 3 },
	{ name: "schedule-due", weight: 8 },
	{ name: "schedule-run", weight: 3 },
	{ name: "schedule-decide", weight: 5 },
	{ name: "schedule-pause", weight: 2 },
	{ name: "schedule-move", weight: 2 },
	{ name: "schedule-delete", weight: 1 },
	{ name: "schedule-loses-place", weight: 2 },
	fault("schedule-death", 5),
	fault("schedule-death-twice", 4),
	fault("schedule-off", 3),
	fault("schedule-refused", 3),
];

/** More would make rounds long and find nothing else. */
const MAX_SCHEDULES_HERE = 6;
/** Nobody waits longer for a time in one step. */
const MAX_WAIT_MS = 150_000;
const OPERATIONS: readonly (Operation | "any")[] = ["any", "commit", "commit", "write", "begin"];

type Play = (step: Step) => void | Promise<void>;

/** What people do with schedules, and what happens to the server in the moments that matter to them. */
export function scheduleSteps(scene: ScheduleScene): Record<string, Play> {
	const { world } = scene;

	/** How long until the first that is planned; undefined: nothing is. */
	function untilDue(): number | undefined {
		const planned = rowsOf(scene.service()?.life).flatMap(({ nextRun, paused, gone }) => (paused || gone ? [] : (nextRun ?? [])));
		return planned.length === 0 ? undefined : Math.min(MAX_WAIT_MS, Math.max(0, Math.min(...planned) - world.clock.now()));
	}
	/** One that is there, with what the person knows of it. */
	function onOne(step: Step, act: (known: KnownSchedule, row: StoredSchedule) => void, isWanted = (_: StoredSchedule) => true): void {
		const row = pickBy(rowsOf(scene.service()?.life).filter(isWanted), step.a);
		const known = row && scene.known.get(row.marker);
		if (row !== undefined && known !== undefined) act(known, row);
	}
	const isRoom = () => rowsOf(scene.service()?.life).length < MAX_SCHEDULES_HERE;
	function create(step: Step, when: { at: string } | { cron: string }, place?: string): void {
		const running = scene.service();
		if (running === undefined || !isRoom()) return;
		const there = running.life.conversations
			.list({ limit: 20 })
			.conversations.map(({ id }) => id)
			.sort();
		const chosen = place ?? (step.b < 0.8 ? pickBy(there, step.c) : undefined);
		const marker = `s${step.at}x`;
		const known: KnownSchedule = {
			...{ marker, isConfirmed: false, deletion: "none", paused: false, pauses: 0, isChanged: false },
			...{ decided: new Map<number, "run" | "skip">(), wanted: new Set<string>() },
		};
		scene.known.set(marker, known);
		const where = chosen === undefined ? { conversation: {} } : { conversationId: chosen };
		scene.ask(running.schedules.create({ prompt: `On time: ${marker}`, timezone: "UTC", ...when, ...where }), () => {
			known.isConfirmed = true;
		});
	}
	async function dieWhenDue(step: Step): Promise<void> {
		const ms = untilDue();
		if (ms === undefined) return;
		await world.clock.advance(Math.max(0, ms - 1));
		const at = pickBy(OPERATIONS, step.b) ?? "any";
		const calls = 1 + Math.floor(step.a ** 2 * (at === "any" ? 30 : 6));
		world.host.planDeath({ calls, at, when: step.c < 0.5 ? "before" : "after", isPowerCut: (step.a * 10) % 1 < 0.4 });
		await world.clock.advance(2 + Math.floor(step.c * 40));
	}
	const soon = (step: Step) => new Date(world.clock.now() + 1_000 + Math.floor(step.a * 40_000)).toISOString();

	return {
		"schedule-at": (step) => create(step, { at: soon(step) }),
		"schedule-every-minute": (step) => create(step, { cron: "* * * * *" }),
		async "schedule-due"(step) {
			const ms = untilDue();
			if (ms !== undefined) await world.clock.advance(ms + Math.floor(step.a * 3));
		},
		"schedule-run": (step) =>
			onOne(step, (known, { id }) => {
				// Whoever heard nothing asks again, under the same id.
				const runId = step.b < 0.5 ? `of ${known.marker}` : `w${step.at}`;
				const service = scene.service();
				if (service !== undefined) scene.ask(service.schedules.run(scheduleId(id), runId), () => void known.wanted.add(`now-${runId}`));
			}),
		"schedule-decide": (step) =>
			onOne(
				step,
				(known, { id, missed }) => {
					const decision = step.b < 0.6 ? "run" : "skip";
					const service = scene.service();
					if (service === undefined || missed === undefined) return;
					if (known.decided.get(missed.due) !== "skip") known.decided.set(missed.due, decision);
					world.count(decision === "run" ? "a schedule was made up for" : "a schedule was skipped");
					scene.ask(service.schedules.decide(scheduleId(id), decision), () => undefined);
				},
				({ missed }) => missed !== undefined,
			),
		"schedule-pause": (step) =>
			onOne(step, (known, { id, paused }) => {
				known.paused = undefined;
				known.isChanged = true;
				const change = ++known.pauses;
				const service = scene.service();
				if (service === undefined) return;
				scene.ask(service.schedules.update(scheduleId(id), { paused: !paused }), (after) => {
					if (change === known.pauses) known.paused = after.paused;
				});
			}),
		"schedule-move": (step) =>
			onOne(step, (known, { id }) => {
				known.isChanged = true;
				const service = scene.service();
				if (service !== undefined) scene.ask(service.schedules.update(scheduleId(id), { at: soon(step) }), () => undefined);
			}),
		"schedule-delete": (step) =>
			onOne(step, (known, { id }) => {
				known.deletion = "asked";
				const service = scene.service();
				if (service === undefined) return;
				const deleting = new Promise<void>((resolve) => resolve(service.schedules.delete(scheduleId(id))));
				scene.ask(deleting, () => {
					known.deletion = "confirmed";
				});
			}),
		/** Its conversation is deleted, before or after its time. */
		async "schedule-loses-place"(step) {
			const { life } = scene.service() ?? {};
			if (life === undefined || !isRoom()) return;
			scene.ask(life.conversations.create({}), ({ id }) => {
				create(step, { at: soon(step) }, id);
				life.clock.after(Math.floor(step.b ** 3 * 60_000), () => {
					world.ledger.deleted.set(id, false);
					scene.ask(life.conversations.delete(conversationId(id)), () => void world.ledger.deleted.set(id, true));
				});
			});
			await world.clock.advance(5);
		},
		"schedule-death": dieWhenDue,
		/** The next process finds what the first left halfway, and dies while it sees to that. */
		async "schedule-death-twice"(step) {
			await dieWhenDue(step);
			if (world.host.life !== undefined) return;
			world.host.planDeath({
				calls: 1 + Math.floor(step.b * 16),
				at: "write",
				when: step.c < 0.5 ? "before" : "after",
				isPowerCut: step.c < 0.3,
			});
			world.host.start();
			await world.clock.advance(2);
		},
		async "schedule-off"(step) {
			const ms = untilDue();
			if (ms === undefined) return;
			if (step.b < 0.5) world.host.kill();
			else world.host.cutPower();
			await world.clock.advance(ms + Math.floor(step.a * 90_000));
			world.host.start();
		},
		async "schedule-refused"(step) {
			const ms = untilDue();
			if (ms === undefined) return;
			await world.clock.advance(Math.max(0, ms - 1));
			world.host.failNext(step.b < 0.5 ? "disk" : "busy", 1 + Math.floor(step.a * 5));
			await world.clock.advance(2 + Math.floor(step.c * 1_500));
		},
	};
}
