import * as z from "zod/mini";

/** Whole tokens, and more than anybody uses. */
const tokens = z.int("Give a whole number of tokens.").check(z.minimum(0, "A limit is not below zero."));
const cost = z.number("Give an amount.").check(z.minimum(0, "A limit is not below zero."), z.maximum(1e12));

/** What one conversation may use in all, as it is asked for. */
export const budgetBody = z.object({ tokens: z.optional(tokens), cost: z.optional(cost) });

/** What all conversations together may use in one day of the server's clock. What is not named has no limit. */
export const dayBudgetSchema = z.object({ tokensPerDay: z.optional(tokens), costPerDay: z.optional(cost) });
/** The limits of a day. */
export type DayBudget = z.infer<typeof dayBudgetSchema>;
