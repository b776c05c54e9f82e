import * as z from "zod/mini";

/** What one conversation may use in all. What is not named has no limit. */
export const budgetSchema = z.object({ tokens: z.optional(z.number()), cost: z.optional(z.number()) });
/** The limits of one conversation. */
export type Budget = z.infer<typeof budgetSchema>;

/** A limit, and that it is reached. */
export const reachedLimitSchema = z.object({
	/** In the unit of the limit. */
	used: z.number(),
	limit: z.number(),
	/** Whose limit: of this conversation, or of all conversations today. */
	scope: z.enum(["conversation", "day"]),
	/** `cost`: in the unit of whoever told it. */
	unit: z.enum(["tokens", "cost"]),
});
/** Which limit is reached, and by how much. */
export type ReachedLimit = z.infer<typeof reachedLimitSchema>;

/** The next call of a model waits until a person decides, or until the limit holds no more. */
export const budgetRequestSchema = z.object({ requestId: z.string(), ...reachedLimitSchema.shape });
/** A request that waits for a person. */
export type BudgetRequest = z.infer<typeof budgetRequestSchema>;

/** `once`: on to the end of this turn. `raise`: with a higher limit. `stop`: the turn ends here. */
export const budgetDecisionSchema = z.enum(["once", "raise", "stop"]);
/** What a person decides. */
export type BudgetDecision = z.infer<typeof budgetDecisionSchema>;
