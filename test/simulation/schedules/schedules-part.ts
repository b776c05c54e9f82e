import { AppError } from "../../../packages/server/src/core/kernel/errors.ts";
import { createSchedules, type Schedules } from "../../../packages/server/src/core/schedules/schedules.ts";
import { createCronerTimetable } from "../../../packages/server/src/services/timetable/croner-timetable.ts";
import { SimulatedDeath } from "../frame/engine.ts";
import type { Life } from "../frame/life.ts";
import type { JoinedPart, Part, World } from "../frame/part.ts";
import { checkSchedules, examineSchedules } from "./examine-schedules.ts";
import { comeToRest } from "./rest.ts";
import { SCHEDULE_KINDS, scheduleSteps } from "./schedule-steps.ts";

/** What a person knows of a schedule, and what has been done to it. */
export interface KnownSchedule {
	/** In its prompt, and in no other. */
	readonly marker: string;
	/** It survives a power cut. */
	isConfirmed: boolean;
	/** Its deletion was asked for, and perhaps confirmed. */
	deletion: "none" | "asked" | "confirmed";
	/** As confirmed last; undefined while nobody can say. */
	paused: boolean | undefined;
	/** How often that was changed: what is confirmed late says nothing about a later change. */
	pauses: number;
	/** Somebody has changed when it is due, or that it waits. */
	isChanged: boolean;
	/** Times about which somebody decided, or tried to. */
	readonly decided: Map<number, "run" | "skip">;
	/** What people wanted to run at once, by their own ids; confirmed ones. */
	readonly wanted: Set<string>;
}

/** What the files of this part share. */
export interface ScheduleScene {
	readonly world: World;
	/** Of the process that runs. */
	service(): { schedules: Schedules; life: Life } | undefined;
	readonly known: Map<string, KnownSchedule>;
	/** Somebody has set the clock. */
	isClockSet: boolean;
	/** What the server refuses in words is fine; the result comes when it is durable, if the process lives on. */
	ask<T>(work: Promise<T>, heard: (result: T) => void): void;
}

/** Prompts at a time, with the real service of every process: made, moved, paused, missed and made up for, while the server dies. */
export const schedulesPart: Part = {
	name: "schedules",
	kinds: SCHEDULE_KINDS,
	invariants: {
		"schedule-kept":
			"A schedule that was confirmed is there until somebody deletes it, rests while it is paused, and one that was deleted stays so.",
		"schedule-once": "What is due is sent once: no time of a schedule and no wish of a person reaches the agent twice.",
		"schedule-told":
			"A time that has come was sent or is told as missed, and never both, until somebody decides; and the inbox says what was missed.",
		"schedule-counted": "Of a schedule that comes every minute, runs and missed times are together as many as minutes.",
		"schedule-gone": "A schedule rests when its conversation was deleted, and only then.",
	},
	covers: [
		"a schedule was sent",
		"a schedule was missed",
		"a schedule failed halfway",
		"a schedule was made up for",
		"a schedule was skipped",
	],
	joinsEvery: 4,
	join,
};

function join(world: World): JoinedPart {
	let running: { schedules: Schedules; life: Life } | undefined;
	let [lastOffset, isClockSet] = [world.clock.now() - world.clock.elapsed(), false];
	const scene: ScheduleScene = {
		world,
		service: () => running,
		known: new Map(),
		get isClockSet() {
			return isClockSet;
		},
		ask(work, heard) {
			const { life } = running ?? {};
			void work
				.then(async (result) => {
					await life?.opened.store.durable();
					if (life?.isAlive() === true) heard(result);
				})
				.catch((error: unknown) => {
					// Whatever a dead process still says, nobody hears.
					if (life?.isAlive() !== true) return;
					if (error instanceof AppError && error.code !== "internal") world.trace.note(`refused: ${error.code}`);
					else if (!(error instanceof SimulatedDeath))
						world.violate("no-surprise", error instanceof Error ? (error.stack ?? error.message) : String(error));
				});
		},
	};

	return {
		play: scheduleSteps(scene),
		started(host, life) {
			if (host !== world.host) return;
			checkSchedules(scene, life);
			const { clock, ids, logger, redactor, opened, conversations } = life;
			const schedules = createSchedules({
				...{ store: opened.store, conversations, redactor, clock, ids, logger },
				loadTimetable: async () => createCronerTimetable(),
			});
			running = { schedules, life };
			void Promise.resolve(schedules.start?.()).catch((error: unknown) => {
				if (!(error instanceof SimulatedDeath)) world.violate("no-surprise", `The schedules did not start: ${String(error)}`);
			});
		},
		async stopping(host) {
			if (host === world.host) await running?.schedules.drain?.();
		},
		ended(host) {
			if (host === world.host) running = undefined;
		},
		check() {
			const offset = world.clock.now() - world.clock.elapsed();
			if (offset !== lastOffset) isClockSet = true;
			lastOffset = offset;
		},
		rest: () => comeToRest(scene),
		examine() {
			if (running === undefined) return;
			checkSchedules(scene, running.life);
			examineSchedules(scene, running.life);
		},
	};
}
