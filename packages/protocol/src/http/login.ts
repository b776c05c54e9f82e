import * as z from "zod/mini";

/** What the routes about coming in and going out answer. */

export const sessionsAnswer = z.object({
	sessions: z.array(
		z.object({
			id: z.string(),
			method: z.string(),
			address: z.string(),
			userAgent: z.string(),
			createdAt: z.string(),
			lastSeenAt: z.string(),
			/** The one that asks. */
			current: z.boolean(),
		}),
	),
});

export const loginCodeAnswer = z.object({ url: z.string(), qrSvg: z.string(), expiresAt: z.string() });
export type LoginCode = z.infer<typeof loginCodeAnswer>;

const passkeySchema = z.object({ id: z.string(), name: z.string(), host: z.string(), createdAt: z.string() });
export type Passkey = z.infer<typeof passkeySchema>;
export const passkeysAnswer = z.object({ passkeys: z.array(passkeySchema) });

const waysInSchema = z.object({
	/** Other devices that are logged in. */
	devices: z.number(),
	password: z.boolean(),
	passkeys: z.array(z.string()),
	notifications: z.number(),
	telegram: z.array(z.string()),
	/** Only the configuration takes them away. */
	telegramFixed: z.array(z.string()),
});
export type WaysIn = z.infer<typeof waysInSchema>;
export const lockListAnswer = z.object({ open: waysInSchema });
export const lockedAnswer = z.object({ closed: waysInSchema });
