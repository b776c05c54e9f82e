import * as z from "zod/mini";

/** A model that can be chosen, with what it can do. */
export const modelSchema = z.object({
	id: z.string(),
	name: z.string(),
	/** Plainly a demo: no real model answers. */
	demo: z.optional(z.boolean()),
	vision: z.optional(z.boolean()),
	reasoning: z.optional(z.boolean()),
	/** How hard it can think, where it tells. */
	efforts: z.optional(z.array(z.string())),
	contextLimit: z.optional(z.number()),
	multiplier: z.optional(z.number()),
});
/** A model that the provider offers. */
export type Model = z.infer<typeof modelSchema>;
