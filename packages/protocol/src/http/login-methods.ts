import * as z from "zod/mini";

/** Which ways in there are; answered to everyone. Apart from the rest, because every page reads it first. */
export const loginMethodsAnswer = z.object({ token: z.boolean(), password: z.boolean(), passkey: z.boolean() });
/** Which ways in are open; the token always is. */
export type LoginMethods = z.infer<typeof loginMethodsAnswer>;
