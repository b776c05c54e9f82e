import * as z from "zod/mini";

/** What a person allows, or allowed, for good in a folder. */
export const rememberedRuleSchema = z.object({
	/** Its words as they would be typed. */
	text: z.string(),
	/** The repository, or the folder, in which it holds; exact words only directly in it. */
	folder: z.string(),
	/** These words and no others; otherwise these and any arguments. */
	exact: z.boolean(),
	/** It may also write its output to files of the folder. */
	writes: z.boolean(),
});
/** A rule in words. */
export type RememberedRule = z.infer<typeof rememberedRuleSchema>;
