import * as z from "zod/mini";

/** What the routes about coming in and going out answer. */

/** The devices that are logged in; one of them is the one that asks. */
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

/** A link that logs another device in, once, and its QR code. */
export const loginCodeAnswer = z.object({ url: z.string(), qrSvg: z.string(), expiresAt: z.string() });
/** A link for another device, with the moment when it ends. */
export type LoginCode = z.infer<typeof loginCodeAnswer>;

const passkeySchema = z.object({ id: z.string(), name: z.string(), host: z.string(), createdAt: z.string() });
/** A passkey as its owner sees it: never the key itself. */
export type Passkey = z.infer<typeof passkeySchema>;
/** All passkeys of the owner. */
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
	/** Tokens of other programs, for `/mcp`. */
	mcp: z.array(z.string()),
});
/** What lets people in at this moment, kind by kind. */
export type WaysIn = z.infer<typeof waysInSchema>;
/** What locking everything would close. */
export const lockListAnswer = z.object({ open: waysInSchema });
/** What locking everything has closed. */
export const lockedAnswer = z.object({ closed: waysInSchema });
