import * as z from "zod/mini";

/** What the routes about Telegram answer. */

export const telegramAnswer = z.object({
	enabled: z.boolean(),
	status: z.optional(
		z.looseObject({
			state: z.string(),
			message: z.optional(z.string()),
			problem: z.optional(z.string()),
			botUsername: z.optional(z.string()),
		}),
	),
	/** Whether strangers may ask to be let in. */
	pairing: z.boolean(),
	pending: z.array(z.looseObject({ userId: z.number(), name: z.string(), username: z.optional(z.string()) })),
	people: z.array(z.object({ userId: z.number(), name: z.string(), fixed: z.boolean() })),
});
export type TelegramInfo = z.infer<typeof telegramAnswer>;
export const pairedAnswer = z.object({ person: z.looseObject({ name: z.string() }) });
export const linkCodeAnswer = z.object({ code: z.string() });
