import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";
import { permissionModeSchema, turnOutcomeSchema } from "../model/vocabulary.ts";

/** What the routes about schedules take and answer. */

/** Schedules there may be; more are refused. */
export const MAX_SCHEDULES = 100;
/** Longest prompt of a schedule, in UTF-16 units: all of them are told at once. */
export const MAX_SCHEDULE_PROMPT_CHARS = 16_384;
/** Times further away are refused. */
export const MAX_FUTURE_DAYS = 3_660;

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));
const NO_CONVERSATION = "Give either a conversationId or a conversation to begin each time.";

/** How each new conversation begins; everything has a default. */
export const scheduledConversation = z.object({
	title: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
	agent: z.optional(text(100)),
	model: z.optional(text(200)),
	mode: z.optional(text(200)),
	/** Empty: whatever the agent takes by itself. */
	effort: z.optional(z.string().check(z.maxLength(200))),
	cwd: z.optional(text(4096)),
	permissions: z.optional(permissionModeSchema),
	sessionId: z.optional(z.never("A new conversation each time cannot go on with one session.")),
	worktree: z.optional(z.never("A scheduled conversation cannot have a work tree of its own yet. Give it a folder.")),
});
/** How each new conversation begins. */
export type ScheduledConversation = Omit<z.infer<typeof scheduledConversation>, "sessionId" | "worktree">;

const fields = {
	/** How long it may be is checked where it is stored. */
	prompt: z.string(),
	/** A time with an offset, or on the clocks of the zone. */
	at: z.optional(text(64)),
	/** Minute, hour, day of the month, month, day of the week. */
	cron: z.optional(text(200)),
	/** A name of the IANA list; without it the server's. */
	timezone: z.optional(text(64)),
	conversationId: z.optional(text(200)),
	conversation: z.optional(scheduledConversation),
	paused: z.optional(z.boolean()),
};
const given = (...values: unknown[]) => values.filter((value) => value !== undefined).length;

/** A prompt, when, and where: in one conversation, or each time in a new one. */
export const newScheduleBody = z.object(fields).check(
	z.refine(({ at, cron }) => given(at, cron) === 1, "Give either a time (at) or a cron expression (cron)."),
	z.refine(({ conversationId, conversation }) => given(conversationId, conversation) === 1, NO_CONVERSATION),
);
/** A schedule as it was asked for. */
export type NewSchedule = z.infer<typeof newScheduleBody>;
/** What changes; what is not named stays. A time takes the place of an expression, and one conversation that of new ones, and back. */
export const patchScheduleBody = z.partial(z.object(fields)).check(
	z.refine(({ at, cron }) => given(at, cron) <= 1, "Give either a time (at) or a cron expression (cron)."),
	z.refine(({ conversationId, conversation }) => given(conversationId, conversation) <= 1, NO_CONVERSATION),
);
/** The named fields change, the others stay. */
export type SchedulePatch = z.infer<typeof patchScheduleBody>;
/** The same id twice is one run. */
export const runScheduleBody = z.object({ runId: z.optional(text(100)) });
/** What becomes of the time that was missed. */
export const missedBody = z.object({ decision: z.enum(["run", "skip"], { error: "Choose run or skip." }) });

/** How the last run stands: waiting in the queue, at work, ended like any turn, taken out of the queue by a person, or not even begun. */
export const runOutcomeSchema = z.union([turnOutcomeSchema, z.enum(["starting", "queued", "running", "dropped", "failed"])]);
/** How the last run stands. */
export type RunOutcome = z.infer<typeof runOutcomeSchema>;
/** Why a time passed without its run: nobody was there, the run before still waits, or it could not be begun. */
export const missedReasonSchema = z.enum(["server-off", "still-waiting", "failed"]);
/** Why a time passed without its run. */
export type MissedReason = z.infer<typeof missedReasonSchema>;

/** A prompt that is sent at a time. */
export const scheduleSchema = z.object({
	id: z.string(),
	prompt: z.string(),
	at: z.optional(z.string()),
	cron: z.optional(z.string()),
	timezone: z.string(),
	conversationId: z.optional(z.string()),
	conversation: z.optional(scheduledConversation),
	paused: z.boolean(),
	/** `done`: no time is left. `conversation-gone`: it rests, because its conversation was deleted. */
	state: z.enum(["waiting", "paused", "done", "conversation-gone"]),
	nextRun: z.nullable(z.string()),
	/** When it ran last, and how that stands. */
	lastRun: z.optional(z.string()),
	lastResult: z.optional(
		z.object({
			outcome: runOutcomeSchema,
			conversationId: z.optional(z.string()),
			messageId: z.optional(z.string()),
			error: z.optional(z.object({ code: z.string(), message: z.string(), params: z.optional(paramsSchema) })),
		}),
	),
	/** The newest time that passed without its run, since when a person is asked, and how many such times there were. */
	missed: z.optional(z.object({ due: z.string(), count: z.number(), reason: missedReasonSchema, since: z.string() })),
	createdAt: z.string(),
	/** Where it runs; absent without a fleet. */
	host: z.optional(z.object({ id: z.string(), name: z.string() })),
});
const missing = z.optional(z.array(z.object({ id: z.string(), name: z.string() })));
/** A prompt that is sent at a time. */
export type Schedule = z.infer<typeof scheduleSchema>;
/** All of them, the oldest first. */
export const schedulesAnswer = z.object({
	schedules: z.array(scheduleSchema),
	/** Hosts of the fleet that could not be asked. */
	missing,
});
/** One of them. */
export const scheduleAnswer = z.object({ schedule: scheduleSchema });
