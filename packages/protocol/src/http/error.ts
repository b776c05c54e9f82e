import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";

/** Every answer of 400 and above. The codes are in docs/errors.md; a client may meet new ones. */
export const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string(), params: z.optional(paramsSchema) }) });
