import { vi } from "vitest";

/** The parts of a browser that make and use passkeys, with fixed bytes; writes down what was asked. Undone by `vi.unstubAllGlobals`. */
export function stubAuthenticator(behaviour: { refuse?: string } = {}) {
	const asked: { challenge: string }[] = [];
	const bytes = (text: string) => new TextEncoder().encode(text).buffer;
	class PublicKeyCredential {
		readonly id = "key-1";
		readonly rawId = bytes("key-1");
		readonly type = "public-key";
		constructor(readonly response: object) {}
	}
	class AuthenticatorAttestationResponse {
		readonly clientDataJSON = bytes("client");
		readonly attestationObject = bytes("attestation");
	}
	class AuthenticatorAssertionResponse {
		readonly clientDataJSON = bytes("client");
		readonly authenticatorData = bytes("data");
		readonly signature = bytes("signature");
		readonly userHandle = null;
	}
	const answer = (Response: new () => object) => async (options: { publicKey: { challenge: BufferSource } }) => {
		if (behaviour.refuse !== undefined) throw new DOMException("No.", behaviour.refuse);
		asked.push({ challenge: new TextDecoder().decode(options.publicKey.challenge) });
		return new PublicKeyCredential(new Response());
	};
	for (const [name, value] of Object.entries({ PublicKeyCredential, AuthenticatorAttestationResponse, AuthenticatorAssertionResponse })) {
		vi.stubGlobal(name, value);
	}
	const credentials = { create: answer(AuthenticatorAttestationResponse), get: answer(AuthenticatorAssertionResponse) };
	vi.stubGlobal("navigator", { userAgent: navigator.userAgent, languages: navigator.languages, credentials });
	return asked;
}

/** `challenge` in base64url, as the server sends it. */
export const CHALLENGE = "Y2hhbGxlbmdl";
