import { MAX_SCHEDULES, type NewSchedule, type Schedule, type SchedulePatch } from "@rightseat/protocol/http/schedules";
import type { ConversationChange } from "../active/conversation-changes.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Clock } from "../kernel/clock.ts";
import { toAppError } from "../kernel/errors.ts";
import { type IdSource, type ScheduleId, scheduleId, conversationId as toConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { AuditLog } from "../ports/audit.ts";
import type { Lifecycle } from "../ports/lifecycle.ts";
import type { ScheduleRow } from "../ports/schedule-store.ts";
import type { Store } from "../ports/store.ts";
import type { Timetable } from "../ports/timetable.ts";
import { auditedSchedules } from "./audited-schedules.ts";
import { itsConversationIsGone, nothingMissed, scheduleNotFound, tooManySchedules } from "./check-schedule.ts";
import { createScheduleEditor } from "./edit-schedule.ts";
import { createMissedSource } from "./missed-source.ts";
import { createRunResults } from "./run-results.ts";
import { createRuns, errorOf } from "./runs.ts";
import { createScheduleClock } from "./schedule-clock.ts";
import { scheduleView } from "./schedule-view.ts";

/** Prompts that are sent at a time. Calls that fail throw AppError; calls that return have committed. */
export interface Schedules extends Lifecycle {
	/** The oldest first. */
	list(): Schedule[];
	count(): number;
	/** Rejects with `bad-schedule`, `empty-prompt`, `too-large`, `too-many-schedules`, and with whatever keeps a conversation from being found or begun. */
	create(wanted: NewSchedule, actor?: Actor): Promise<Schedule>;
	/** Rejects with `not-found`, as all that name one do. */
	update(id: ScheduleId, patch: SchedulePatch, actor?: Actor): Promise<Schedule>;
	delete(id: ScheduleId, actor?: Actor): void;
	/** Now, besides its times; the same `runId` twice is one run. Rejects when it could not be begun. */
	run(id: ScheduleId, runId?: string, actor?: Actor): Promise<Schedule>;
	/** Rejects with `not-found` when nothing is missed, or somebody decided already. */
	decide(id: ScheduleId, decision: "run" | "skip", actor?: Actor): Promise<Schedule>;
	/** Something looks different now; when that is durable. */
	onChange(listener: () => void): () => void;
}

export interface SchedulesDeps {
	store: Pick<Store, "schedules" | "messages" | "afterCommit">;
	conversations: Conversations;
	/** Loaded when there is a schedule. */
	loadTimetable(): Promise<Timetable>;
	redactor: Redactor;
	clock: Clock;
	/** Where what people do is recorded; nowhere without it. */
	audit?: Pick<AuditLog, "record">;
	ids: IdSource;
	logger: Logger;
}

export function createSchedules(deps: SchedulesDeps): Schedules {
	const { conversations, clock, logger } = deps;
	const { schedules: store, messages } = deps.store;
	const listeners = new Set<() => void>();
	const results = createRunResults({ store, messages, conversations });
	const runs = createRuns({ store, conversations, results, clock, logger });
	const alarm = createScheduleClock({ store, runs, results, conversations, clock, logger, changed });
	const editor = createScheduleEditor({ conversations, redactor: deps.redactor, nextTime: alarm.plan });
	let stopListening: () => void = () => undefined;

	function changed(): void {
		deps.store.afterCommit(() => {
			for (const listener of listeners) listener();
		});
	}
	function onChange(listener: () => void): () => void {
		listeners.add(listener);
		return () => listeners.delete(listener);
	}
	function getRow(id: ScheduleId): ScheduleRow {
		const row = store.find(id);
		if (row === undefined) throw scheduleNotFound();
		return row;
	}
	function view(row: ScheduleRow): Schedule {
		const last = store.lastRun(row.id);
		return scheduleView(row, last === undefined ? undefined : results.current(last));
	}
	/** After a change of one: it is waited for, and everybody knows. */
	function told(id: ScheduleId, timetable?: Timetable): Schedule {
		alarm.rearm(timetable);
		changed();
		return view(getRow(id));
	}
	/** Whoever wanted to make up for it can try again. Where not even that can be stored the run stays claimed, and the clock sees to it. */
	function notBegun({ id, missed }: ScheduleRow, key: string, due: number | null, error: unknown): void {
		try {
			runs.fail({ scheduleId: id, key }, errorOf(toAppError(error)), due === null ? {} : { missed });
		} catch (refusal) {
			logger.warn({ err: refusal, scheduleId: id, run: key }, "It could not be stored that a schedule was not run");
		}
	}
	async function runNow(row: ScheduleRow, key: string, due: number | null): Promise<Schedule> {
		if (row.gone) throw itsConversationIsGone();
		runs.claim(row, { key, due }, {});
		try {
			await runs.send(row, key, "person");
		} catch (error) {
			notBegun(row, key, due, error);
			throw error;
		} finally {
			alarm.rearm();
			changed();
		}
		return view(getRow(row.id));
	}
	function conversationChanged(change: ConversationChange): void {
		const id = change.kind === "deleted" ? change.id : toConversationId(change.conversation.id);
		const resting = change.kind === "deleted" ? store.ofConversation(id) : [];
		for (const schedule of resting) store.update(schedule.id, { gone: true, nextRun: null, missed: undefined });
		if (results.settle(id) || resting.length > 0) changed();
	}

	const service: Schedules = {
		list: () => store.list().map(view),
		count: store.count,
		async create(wanted) {
			const timetable = await deps.loadTimetable();
			const row = await editor.create(scheduleId(deps.ids.next()), wanted, timetable, clock.now());
			if (store.count() >= MAX_SCHEDULES) throw tooManySchedules();
			store.insert({ ...row, ...editor.plan(row, timetable, clock.now()) });
			return told(row.id, timetable);
		},
		async update(id, patch) {
			getRow(id);
			const timetable = await deps.loadTimetable();
			const edited = await editor.edit(getRow(id), patch, timetable, clock.now());
			const before = getRow(id);
			const row = { ...before, ...edited };
			const isPlanned = edited.when === undefined && row.paused === before.paused && row.gone === before.gone;
			store.update(id, { ...edited, ...(isPlanned ? {} : editor.plan(row, timetable, clock.now())) });
			return told(id, timetable);
		},
		delete(id) {
			if (!store.delete(id)) throw scheduleNotFound();
			alarm.rearm();
			changed();
		},
		run: async (id, runId = deps.ids.next()) => runNow(getRow(id), `now-${runId}`, null),
		async decide(id, decision) {
			const row = getRow(id);
			if (row.missed === undefined) throw nothingMissed();
			if (decision === "run") return runNow(row, String(row.missed.due), row.missed.due);
			store.update(id, { missed: undefined });
			return told(id);
		},
		onChange,
		async start() {
			stopListening = conversations.onChange(conversationChanged);
			conversations.inbox.addSource(createMissedSource({ store, onChange, logger }));
			if (store.count() > 0) alarm.start(await deps.loadTimetable());
		},
		drain: () => alarm.stop(),
		close() {
			stopListening();
			alarm.stop();
		},
	};
	return deps.audit === undefined ? service : auditedSchedules(service, deps.audit);
}
