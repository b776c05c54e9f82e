import type { passkeyChallengeAnswer, passkeyCreationAnswer } from "@rightseat/protocol/http/passkey-options";
import type * as z from "zod/mini";
import { fromBase64Url, toBase64Url } from "./base64url.ts";

/** Whether this browser can use passkeys here: they need https or localhost, and belong to a name. */
export function passkeysWork(): boolean {
	const bareAddress = /^\[|^[\d.]+$/.test(location.hostname);
	return "PublicKeyCredential" in window && !bareAddress;
}

/** The browser's own dialog makes a passkey; the answer is what the server wants to see. */
export async function createPasskey(options: z.infer<typeof passkeyCreationAnswer>): Promise<object> {
	// Only these: what else stands in the answer is not ours to hand to the browser.
	const { rp, pubKeyCredParams, timeout, authenticatorSelection } = options;
	const credential = await navigator.credentials.create({
		publicKey: {
			...{ rp, pubKeyCredParams, timeout, authenticatorSelection },
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
export async function signWithPasskey(options: z.infer<typeof passkeyChallengeAnswer>): Promise<object> {
	const { rpId, timeout, userVerification, challenge } = options;
	const credential = await navigator.credentials.get({
		publicKey: { rpId, timeout, userVerification, challenge: fromBase64Url(challenge) },
	});
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
