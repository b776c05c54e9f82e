import type { MissedReason, RunOutcome, Schedule, ScheduledConversation } from "@rightseat/protocol/http/schedules";
import type { ConversationId, MessageId, ScheduleId } from "../kernel/ids.ts";

/** When: at one time, or whenever an expression says. */
export type When = { at: number } | { cron: string };
/** Where: in one conversation, or each time in a new one. */
export type Where = { conversationId: ConversationId } | { conversation: ScheduledConversation };

/** A schedule as kept. */
export interface ScheduleRow {
	id: ScheduleId;
	prompt: string;
	when: When;
	timezone: string;
	where: Where;
	paused: boolean;
	/** Its conversation was deleted. */
	gone: boolean;
	/** Null: nothing is planned. */
	nextRun: number | null;
	/** What the clock said when that was decided: a clock that is before it was set back. */
	plannedAt: number;
	/** Runs up to this time are not remembered one by one any more. */
	forgottenThrough: number;
	/** Times that passed without their run, and about which nobody has decided. */
	missed: Missed | undefined;
	createdAt: number;
}

/** The newest time that was missed, how many there were, and since when a person is asked. */
export interface Missed {
	due: number;
	count: number;
	reason: MissedReason;
	since: number;
}

/** How a run stands; `starting` until its prompt is known to be stored. */
export interface RunRow {
	scheduleId: ScheduleId;
	/** The time that it was due, or what a person's wish is known by. */
	key: string;
	/** Null: a person wanted it. */
	due: number | null;
	claimedAt: number;
	outcome: RunOutcome;
	conversationId: ConversationId | null;
	messageId: MessageId | null;
	error: RunError | null;
}
/** Why a run was not begun. */
export type RunError = NonNullable<NonNullable<Schedule["lastResult"]>["error"]>;

/** Schedules and their runs. A change is told to whoever listens to the service, not here. */
export interface ScheduleStore {
	transaction<T>(work: () => T extends Promise<unknown> ? never : T): T;
	insert(row: ScheduleRow): void;
	find(id: ScheduleId): ScheduleRow | undefined;
	/** The oldest first. */
	list(): ScheduleRow[];
	count(): number;
	/** Not paused, and due by now, or planned by a clock that was later than this. */
	listDue(now: number): ScheduleRow[];
	/** The first time that is planned. */
	nextTime(): number | undefined;
	/** Those of which a time was missed. */
	listMissed(): ScheduleRow[];
	/** Those in this conversation. */
	ofConversation(id: ConversationId): ScheduleRow[];
	update(id: ScheduleId, patch: Partial<Omit<ScheduleRow, "id" | "createdAt">>): void;
	/** With its runs; false if it did not exist. */
	delete(id: ScheduleId): boolean;

	/** False: this run was claimed before, and did not fail. */
	claim(run: Omit<RunRow, "outcome" | "messageId" | "error">): boolean;
	updateRun(scheduleId: ScheduleId, key: string, patch: Partial<Pick<RunRow, "outcome" | "conversationId" | "messageId" | "error">>): void;
	findRun(scheduleId: ScheduleId, key: string): RunRow | undefined;
	lastRun(scheduleId: ScheduleId): RunRow | undefined;
	/** Runs of which the end is not known. */
	openRuns(): RunRow[];
	/** Keeps the newest; gives the latest time that was due among those that go. */
	forgetRuns(scheduleId: ScheduleId, keep: number): number | undefined;
}
