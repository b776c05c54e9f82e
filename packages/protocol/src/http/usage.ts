import * as z from "zod/mini";

/** A day, or a moment in it; days are those of the server's clock. */
const day = z.string().check(
	z.regex(/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/, "Give a day as 2026-11-17, or a time as 2026-11-17T08:00:00Z."),
	z.refine((given) => !Number.isNaN(Date.parse(given)), "There is no such day."),
);

/** What the rows of a usage stand for. */
export const usageKeySchema = z.enum(["day", "model", "agent", "conversation"], { error: "Choose day, model, agent or conversation." });
/** What the rows of a usage stand for. */
export type UsageKey = z.infer<typeof usageKeySchema>;

/** Which days, both included, and what the rows are. */
export const usageQuery = z.object({
	from: z.optional(day),
	to: z.optional(day),
	by: z._default(usageKeySchema, "day"),
	/** Only of this one. */
	conversation: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

/** What was used of one key. */
export const usageRowSchema = z.object({
	/** A day as `2026-11-17`, a model, an agent or a conversation's id; empty: not known any more, or never told. */
	key: z.string(),
	inputTokens: z.number(),
	outputTokens: z.number(),
	/** In the unit of whoever told it; absent: nobody did. */
	cost: z.optional(z.number()),
	/** Of a conversation that is still there. */
	title: z.optional(z.string()),
});
/** One row of a usage. */
export type UsageRow = z.infer<typeof usageRowSchema>;

/** Days in their order; everything else with the most tokens first. */
export const usageAnswer = z.object({
	rows: z.array(usageRowSchema),
	/** Hosts of the fleet that could not be asked: what they used is not counted. */
	missing: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
});
