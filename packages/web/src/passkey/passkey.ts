import * as z from "zod/mini";
import { fromBase64Url, toBase64Url } from "./base64url.ts";

const requirement = z.enum(["discouraged", "preferred", "required"]);
const publicKey = z.literal("public-key");

export const creationSchema = z.object({
	challenge: z.string(),
	rp: z.object({ id: z.string(), name: z.string() }),
	user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
	pubKeyCredParams: z.array(z.object({ type: publicKey, alg: z.number() })),
	timeout: z.number(),
	excludeCredentials: z.array(z.object({ type: publicKey, id: z.string() })),
	authenticatorSelection: z.object({ residentKey: requirement, requireResidentKey: z.boolean(), userVerification: requirement }),
});
export const challengeSchema = z.object({ challenge: z.string(), rpId: z.string(), timeout: z.number(), userVerification: requirement });

/** Whether this browser can use passkeys here: they need https or localhost, and belong to a name. */
export function passkeysWork(): boolean {
	const bareAddress = /^\[|^[\d.]+$/.test(location.hostname);
	return "PublicKeyCredential" in window && !bareAddress;
}

/** The browser's own dialog makes a passkey; the answer is what the server wants to see. */
export async function createPasskey(options: z.infer<typeof creationSchema>): Promise<object> {
	const credential = await navigator.credentials.create({
		publicKey: {
			...options,
			challenge: fromBase64Url(options.challenge),
			user: { ...options.user, id: fromBase64Url(options.user.id) },
			excludeCredentials: options.excludeCredentials.map(({ type, id }) => ({ type, id: fromBase64Url(id) })),
		},
	});
	if (!(credential instanceof PublicKeyCredential) || !(credential.response instanceof AuthenticatorAttestationResponse)) throw noPasskey();
	const { clientDataJSON, attestationObject } = credential.response;
	return described(credential, { clientDataJSON: toBase64Url(clientDataJSON), attestationObject: toBase64Url(attestationObject) });
}

/** The browser's own dialog signs the challenge with a passkey of this page. */
export async function signWithPasskey(options: z.infer<typeof challengeSchema>): Promise<object> {
	const credential = await navigator.credentials.get({ publicKey: { ...options, challenge: fromBase64Url(options.challenge) } });
	if (!(credential instanceof PublicKeyCredential) || !(credential.response instanceof AuthenticatorAssertionResponse)) throw noPasskey();
	const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
	return described(credential, {
		clientDataJSON: toBase64Url(clientDataJSON),
		authenticatorData: toBase64Url(authenticatorData),
		signature: toBase64Url(signature),
		...(userHandle === null ? {} : { userHandle: toBase64Url(userHandle) }),
	});
}

/** Why the browser made or used none: closed or too slow, there already, or something else. */
export function passkeyProblem(error: unknown): "cancelled" | "exists" | undefined {
	if (!(error instanceof DOMException)) return undefined;
	if (error.name === "NotAllowedError" || error.name === "AbortError") return "cancelled";
	return error.name === "InvalidStateError" ? "exists" : undefined;
}

const described = ({ id, rawId, type }: PublicKeyCredential, response: object) => ({ id, rawId: toBase64Url(rawId), type, response });

const noPasskey = () => new DOMException("The browser gave no passkey.", "NotAllowedError");
