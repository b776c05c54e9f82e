import * as z from "zod/mini";

/** What the routes about Telegram answer. */

/** Whether the bot runs, who is let in and who asks to be. */
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
/** The bot as the settings show it. */
export type TelegramInfo = z.infer<typeof telegramAnswer>;
/** Who was let in. */
export const pairedAnswer = z.object({ person: z.looseObject({ name: z.string() }) });
/** The code that brings a conversation to Telegram, once. */
export const linkCodeAnswer = z.object({ code: z.string() });
