import * as z from "zod/mini";

/** Whose model answers in conversations with Copilot, as a person connects it on the page. */

/** The protocols that a provider may speak. Ollama, LM Studio and vLLM speak `openai`. */
export const providerTypeSchema = z.enum(["openai", "azure", "anthropic"]);
/** One of them. */
export type ProviderType = z.infer<typeof providerTypeSchema>;

/** The account without its secret, which is never told again. */
export const modelAccountSchema = z.object({
	/** `demo`: no real model answers. */
	kind: z.enum(["demo", "own", "copilot"]),
	/** Where it comes from. Only what comes from `nothing` or `page` can be changed on the page. */
	from: z.enum(["nothing", "page", "configuration", "demo-flag"]),
	/** Of a provider of one's own. */
	type: z.optional(providerTypeSchema),
	url: z.optional(z.string()),
	hasKey: z.boolean(),
	/** `gh`: with the login of the GitHub CLI, read again at every start; nothing of it is kept. */
	login: z.optional(z.literal("gh")),
});
/** How the page shows it. */
export type ModelAccountView = z.infer<typeof modelAccountSchema>;
/** `GET`, `PUT` and `DELETE /api/model-account`: as it stands afterwards. */
export const modelAccountAnswer = z.object({ account: modelAccountSchema });

/** `GET /api/model-account/login`: the login that the GitHub CLI has on this machine, without its token. */
export const ghLoginAnswer = z.object({ available: z.boolean(), host: z.string(), user: z.optional(z.string()) });
/** How the page offers it. */
export type GhLoginView = z.infer<typeof ghLoginAnswer>;
