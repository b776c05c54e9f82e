import * as z from "zod/mini";

/** What the routes about reaching the server from elsewhere take and answer. */

const portSchema = z.int().check(z.gte(1), z.lte(65_535));
/** An address without a path: the page lives at the top of a name. */
const originSchema = z
	.string()
	.check(z.maxLength(300), z.regex(/^https:\/\/[a-z0-9.:[\]-]+$/, "Give an address that begins with https://, without a path."));

/** How a phone reaches the server: what somebody paired. */
const reachSchema = z.object({
	way: z.enum(["tailscale", "url", "lan"]),
	/** What the phone opens, without a slash at the end. */
	url: z.string(),
	/** On which a proxy or the server listens for it. */
	port: z.optional(z.number()),
	/** Where Tailscale Serve leads to. */
	target: z.optional(z.string()),
	/** Other addresses that lead to the same. */
	also: z.optional(z.array(z.string())),
	/** SHA-256 of our own certificate authority, which the phone must trust. */
	fingerprint: z.optional(z.string()),
	/** Code of what is wrong with it at this moment. */
	problem: z.optional(z.string()),
});
export type ReachView = z.infer<typeof reachSchema>;

/** `GET` and `PUT /api/reach`: what was paired, and what RIGHTSEAT_PUBLIC_URL says. */
export const reachAnswer = z.object({ reach: z.optional(reachSchema), configured: z.optional(z.string()) });

/** `PUT /api/reach`. */
export const reachBody = z.union([
	z.object({ way: z.literal("tailscale"), url: originSchema, port: portSchema, target: z.string().check(z.maxLength(300)) }),
	z.object({ way: z.literal("url"), url: originSchema }),
	z.object({ way: z.literal("lan"), port: portSchema }),
]);
export type ReachWish = z.infer<typeof reachBody>;

/** `POST /api/reach/trial`: which address is going to be tried. */
export const reachTrialBody = z.object({ url: originSchema });
/** Whoever asks `/healthz?nonce=…` through that address gets the proof, if it leads here. */
export const reachTrialAnswer = z.object({ nonce: z.string(), proof: z.string() });
/** `GET /healthz`. */
export const healthQuery = z.object({ nonce: z.optional(z.string()) });
