import { type Signed, signedSchema } from "@rightseat/protocol/fleet/command";
import { type HostKeys, isSignedBy } from "./host-keys.ts";
import { parseJson } from "./parse-json.ts";

/** What a signature is for: one of one kind is none of another. */
export type SignedKind = "command" | "answer" | "statement" | "snapshot" | "pairing" | "card" | "list" | "inbox";

/** The text with a signature over it, its kind and its signer. */
export function signText(keys: HostKeys, by: string, kind: SignedKind, payload: string): Signed {
	return { by, payload, signature: keys.sign(signedBytes(kind, by, payload)) };
}

/** Is this the signature of the key's holder, for this kind, under this name? */
export const isSignatureOf = (signKey: string, kind: SignedKind, { by, payload, signature }: Signed): boolean =>
	isSignedBy(signKey, signedBytes(kind, by, payload), signature);

/** A signed text out of bytes of anybody; undefined when it is none. */
export function readSigned(bytes: Uint8Array): Signed | undefined {
	const parsed = signedSchema.safeParse(parseJson(bytes));
	return parsed.success ? parsed.data : undefined;
}

const signedBytes = (kind: SignedKind, by: string, payload: string) => Buffer.from(`rightseat fleet 1 ${kind}\n${by}\n${payload}`);
