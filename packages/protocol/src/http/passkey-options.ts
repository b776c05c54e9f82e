import * as z from "zod/mini";

/** WebAuthn options as JSON. What else a browser knows may stand beside these; a page picks what it hands on. */

const requirement = z.enum(["discouraged", "preferred", "required"]);
const publicKey = z.literal("public-key");

/** What a browser needs to make a passkey here. */
export const passkeyCreationAnswer = z.looseObject({
	challenge: z.string(),
	rp: z.object({ id: z.string(), name: z.string() }),
	user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
	pubKeyCredParams: z.array(z.object({ type: publicKey, alg: z.number() })),
	timeout: z.number(),
	excludeCredentials: z.array(z.object({ type: publicKey, id: z.string() })),
	authenticatorSelection: z.object({ residentKey: requirement, requireResidentKey: z.boolean(), userVerification: requirement }),
});
/** What a browser needs to use a passkey here. */
export const passkeyChallengeAnswer = z.looseObject({
	challenge: z.string(),
	rpId: z.string(),
	timeout: z.number(),
	userVerification: requirement,
});
