import * as z from "zod/mini";
import { inboxItemSchema } from "../model/inbox.ts";

/** What the routes about the inbox take and answer. */

/** What waits, what needs a person most first; and what somebody put off. */
export const inboxAnswer = z.object({
	items: z.array(inboxItemSchema),
	snoozed: z.array(z.extend(inboxItemSchema, { until: z.string() })),
});
/** An ISO 8601 time that is still to come. */
export const snoozeBody = z.object({
	until: z.string().check(
		z.maxLength(100),
		z.refine((text) => Number.isFinite(Date.parse(text)), { error: "until must be a time, such as 2026-01-02T03:04:05Z." }),
	),
});
