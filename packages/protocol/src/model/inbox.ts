import * as z from "zod/mini";
import { permissionRequestSchema, planRequestSchema, questionSchema } from "./ask.ts";
import { budgetRequestSchema } from "./budget.ts";
import { formRequestSchema } from "./form.ts";
import { paramsSchema } from "./params.ts";

/** Why something waits for a person, what needs one most first: this is the order of the inbox. */
export const INBOX_KINDS = [
	/** An agent holds its breath until somebody answers. */
	"question",
	"permission",
	"plan",
	"budget",
	"form",
	/** Nothing goes on before somebody does something. */
	"login-needed",
	"failed",
	"interrupted",
	"queue-resting",
	"schedule-missed",
	/** Done, and nobody has looked. */
	"finished",
] as const;
const inboxKindSchema = z.enum(INBOX_KINDS);
/** Why something waits for a person. */
export type InboxKind = z.infer<typeof inboxKindSchema>;

/** Something that waits for a person, or that nobody has seen yet. */
export const inboxItemSchema = z.object({
	/** Stays the same for as long as it waits, also over a restart. */
	id: z.string(),
	kind: inboxKindSchema,
	/** Null where it belongs to none, such as a schedule that begins a new one every time. */
	conversationId: z.nullable(z.string()),
	/** Of the conversation; empty while it has none. */
	title: z.string(),
	/** In English, or the agent's own words. */
	why: z.string(),
	/** Which sentence `why` is, and its values, to say it in another language; absent: words of the agent. */
	code: z.optional(z.string()),
	params: z.optional(paramsSchema),
	since: z.string(),
	/** What can be answered in place. */
	question: z.optional(questionSchema),
	permission: z.optional(permissionRequestSchema),
	plan: z.optional(planRequestSchema),
	budget: z.optional(budgetRequestSchema),
	form: z.optional(formRequestSchema),
	/** A missed one can be made up or skipped. */
	scheduleId: z.optional(z.string()),
	/** Where it waits; absent without a fleet. */
	host: z.optional(z.object({ id: z.string(), name: z.string() })),
});
/** One line of the inbox. */
export type InboxItem = z.infer<typeof inboxItemSchema>;
