import * as z from "zod/mini";

/**
 * The values of a sentence, beside its code: a path, a number, what a provider said. A reader puts them into a sentence of its own language.
 * `reason` names the sentence where one code has several. Names and reasons are listed in docs/errors.md; unknown ones are ignored.
 */
export const paramsSchema = z.record(z.string(), z.union([z.string(), z.number()]));
/** The values of a sentence that is said where a person reads it. */
export type Params = Readonly<z.infer<typeof paramsSchema>>;
