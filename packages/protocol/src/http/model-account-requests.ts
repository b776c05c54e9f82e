import * as z from "zod/mini";
import { providerTypeSchema } from "./model-account.ts";

/** What a person sends to connect a model, as the server checks it. */

/** No secret is longer: they travel in a header. */
export const MAX_ACCOUNT_SECRET_CHARS = 4_096;
/** What a header can carry; a line break in a key that was copied with it is refused here and not by the provider. */
const secret = z
	.string()
	.check(
		z.trim(),
		z.regex(/^[\x21-\x7e]+$/, "A key has only letters, digits and signs, and no spaces."),
		z.maxLength(MAX_ACCOUNT_SECRET_CHARS, "This key is too long."),
	);
const address = z.string().check(
	z.trim(),
	z.maxLength(2_000, "This address is too long."),
	z.refine((text) => isWebAddress(text), "Give the whole address, beginning with http:// or https://, without a password in it."),
);

/** What connects a model: a provider of one's own, a GitHub token of an account with Copilot, or the login of the GitHub CLI. */
export const modelAccountBody = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("own"), type: z._default(providerTypeSchema, "openai"), url: address, key: z.optional(secret) }),
	z.object({ kind: z.literal("copilot"), token: secret }),
	z.object({ kind: z.literal("gh") }),
]);
/** The same, as it was checked. */
export type NewModelAccount = z.infer<typeof modelAccountBody>;

function isWebAddress(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, username, password } = new URL(text);
	return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}
