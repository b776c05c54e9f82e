import * as z from "zod/mini";
import { created, DONE, type HttpRoute, ok } from "./route.ts";

/** Longer than this nobody may watch by one link. */
export const MAX_SHARE_HOURS = 720;

/** A link by which a guest watches one conversation; the link itself is shown once, when it is made. */
export const shareSchema = z.object({
	id: z.string(),
	conversationId: z.string(),
	createdAt: z.string(),
	expiresAt: z.string(),
	/** When a guest looked last. */
	lastUsedAt: z.nullable(z.string()),
});
/** A link for guests, without its secret. */
export type Share = z.infer<typeof shareSchema>;
/** Every link that still works. */
export const sharesAnswer = z.object({ shares: z.array(shareSchema) });
/** The new link with its address below this server. */
export const shareAnswer = z.object({ share: shareSchema, path: z.string() });
/** How long it works. */
export const shareBody = z.object({
	hours: z._default(z.int().check(z.gte(1, "At least one hour."), z.lte(MAX_SHARE_HOURS, `At most ${MAX_SHARE_HOURS} hours.`)), 24),
});

/** Routes about links for guests. */
export const shareRoutes: HttpRoute[] = [
	{ method: "GET", path: "/api/shares", about: "Links by which guests watch, newest first.", answers: ok(sharesAnswer) },
	{
		method: "POST",
		path: "/api/conversations/:id/shares",
		about: "A link by which a guest watches this conversation for a time.",
		body: shareBody,
		answers: created(shareAnswer),
		refusals: [404, 409],
	},
	{ method: "DELETE", path: "/api/shares/:id", about: "End a link for guests at once.", answers: DONE, refusals: [404] },
	{ method: "GET", path: "/watch/:token", about: "What a guest sees.", isOpen: true, answers: ok({ file: "text/html" }), refusals: [404] },
];
