import type { Schedule } from "@rightseat/protocol/http/schedules";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { type FakeClock, mortal } from "../../../../../test/support/fake-clock.ts";
import { createCronerTimetable } from "../../services/timetable/croner-timetable.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, randomIds } from "../kernel/ids.ts";
import { silentLogger } from "../kernel/logger.ts";
import { createRedactor } from "../kernel/redact.ts";
import type { ScheduleStore } from "../ports/schedule-store.ts";
import { createSchedules, type Schedules } from "./schedules.ts";

type Refusable = "claim" | "prompt" | "updateRun" | "update";

/** Schedules over a core whose agent does what the test says. */
export interface ScheduleBed {
	readonly core: CoreBed;
	readonly schedules: Schedules;
	readonly clock: FakeClock;
	begin(): Promise<ConversationId>;
	/** The one schedule that there is. */
	only(): Schedule;
	/** What people and schedules said there, without what waits in the queue. */
	prompts(id: ConversationId): string[];
	/** The ids under which prompts were sent there. */
	sentIds(id: ConversationId): string[];
	/** Ends the turn that runs, or that begins next. */
	answer(outcome: "completed" | "error"): Promise<void>;
	/** The server dies, something happens, and it comes back. */
	crash(meanwhile: () => Promise<void>): Promise<void>;
	/** The next prompt finds the process dead: nothing of it is stored. */
	dieBeforePrompt(): void;
	/** The next prompt is stored, and then the process is dead. */
	dieAfterPrompt(): void;
	/** Each of these is refused by the disk, once. */
	refuse(what: Refusable[]): void;
	refusals(): number;
	close(): Promise<void>;
}

export async function createScheduleBed(): Promise<ScheduleBed> {
	let core = await createCoreBed();
	const timetable = createCronerTimetable();
	const { clock } = core;
	const refusing = new Set<Refusable>();
	let refused = 0;
	let death: "before" | "after" | undefined;
	let [life, schedules] = live();

	const hang = () => new AppError("shutting-down", "This process is dead.");
	function refuseOnce(what: Refusable): void {
		if (!refusing.delete(what)) return;
		refused += 1;
		throw new AppError("storage-busy", "Refused.");
	}
	function live(): [ReturnType<typeof mortal>, Schedules] {
		const fresh = mortal(clock);
		const { conversations, store } = core;
		const guarded: ScheduleStore = {
			...store.schedules,
			claim(run) {
				refuseOnce("claim");
				return store.schedules.claim(run);
			},
			updateRun(...given) {
				if (death !== undefined) throw hang();
				refuseOnce("updateRun");
				store.schedules.updateRun(...given);
			},
			update(...given) {
				refuseOnce("update");
				store.schedules.update(...given);
			},
		};
		const made = createSchedules({
			store: { ...store, schedules: guarded },
			conversations: {
				...conversations,
				prompt(request) {
					if (death === "before") throw hang();
					refuseOnce("prompt");
					return conversations.prompt(request);
				},
			},
			loadTimetable: async () => timetable,
			redactor: createRedactor(["s3cret-value"]),
			...{ clock: fresh.clock, ids: randomIds, logger: silentLogger },
		});
		return [fresh, made];
	}
	await schedules.start?.();

	return {
		get core() {
			return core;
		},
		get schedules() {
			return schedules;
		},
		clock,
		begin: () => core.begin(),
		only() {
			const [schedule, ...others] = schedules.list();
			if (schedule === undefined || others.length > 0) throw new Error("There should be one schedule.");
			return schedule;
		},
		prompts(id) {
			const waiting = new Set(core.conversations.queue(id).map(({ messageId }) => messageId));
			const { messages } = core.conversations.messages(id, { limit: 200 });
			return messages.flatMap((message) => (message.role === "user" && !waiting.has(message.id) ? message.content : []));
		},
		sentIds(id) {
			const { messages } = core.conversations.messages(id, { limit: 200 });
			return messages.flatMap((message) => (message.role === "user" ? (message.metadata.clientMessageId ?? "none") : []));
		},
		async answer(outcome) {
			(await core.runtime.nextTurn()).end(outcome);
			await clock.advance(100);
		},
		async crash(meanwhile) {
			if (death === undefined) life.die();
			await meanwhile();
			life.die();
			death = undefined;
			core = core.afterCrash();
			[life, schedules] = live();
			await schedules.start?.();
		},
		dieBeforePrompt() {
			death = "before";
		},
		dieAfterPrompt() {
			death = "after";
		},
		refuse: (what) => what.forEach((each) => void refusing.add(each)),
		refusals: () => refused,
		async close() {
			await schedules.close();
			await core.close();
		},
	};
}

export const HOUR = 3_600_000;

/** Why something was refused, as code and reason. */
export const refused = (work: Promise<unknown>) =>
	work.then(() => "fine").catch((error: { code: string; params?: { reason?: string } }) => `${error.code}/${error.params?.reason ?? ""}`);
