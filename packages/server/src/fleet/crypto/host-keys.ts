import {
	createHash,
	createPrivateKey,
	createPublicKey,
	diffieHellman,
	generateKeyPairSync,
	type KeyObject,
	sign,
	verify,
} from "node:crypto";
import * as z from "zod/mini";
import { base32 } from "./base32.ts";

/** 32 bytes, as base64url. */
export const keyTextSchema = z.string().check(z.regex(/^[\w-]{43}$/));

/** What everybody may know of a host: its keys for signatures and for boxes. */
export const publicKeysSchema = z.object({ sign: keyTextSchema, box: keyTextSchema });
export type PublicKeys = z.infer<typeof publicKeysSchema>;

/** Both halves, as they lie in a file that only its owner reads. */
export const secretKeysSchema = z.object({ ...publicKeysSchema.shape, signSecret: keyTextSchema, boxSecret: keyTextSchema });
export type SecretKeys = z.infer<typeof secretKeysSchema>;

/** The keys of a host, or the root key of a fleet. */
export interface HostKeys {
	readonly host: string;
	readonly publicKeys: PublicKeys;
	readonly secretKeys: SecretKeys;
	/** 64 bytes as base64url. */
	sign(bytes: Uint8Array): string;
	/** The secret that both have with their key for boxes; undefined when theirs is none. */
	agree(theirBox: string): Buffer | undefined;
}

/** New keys. */
export function createHostKeys(): HostKeys {
	const [signing, box] = [generateKeyPairSync("ed25519").privateKey, generateKeyPairSync("x25519").privateKey];
	const [{ x: sign = "", d: signSecret = "" }, { x: boxText = "", d: boxSecret = "" }] = [
		signing.export({ format: "jwk" }),
		box.export({ format: "jwk" }),
	];
	return keysOf(signing, box, { sign, box: boxText, signSecret, boxSecret });
}

/** Keys that were kept; undefined when they are none, or do not belong together. */
export function restoreHostKeys(value: unknown): HostKeys | undefined {
	const parsed = secretKeysSchema.safeParse(value);
	if (!parsed.success) return undefined;
	const { sign, box, signSecret, boxSecret } = parsed.data;
	const [signing, boxing] = [privateKey("Ed25519", sign, signSecret), privateKey("X25519", box, boxSecret)];
	if (signing === undefined || boxing === undefined) return undefined;
	const isPair = publicText(signing) === sign && publicText(boxing) === box;
	return isPair ? keysOf(signing, boxing, parsed.data) : undefined;
}

function keysOf(signing: KeyObject, box: KeyObject, secretKeys: SecretKeys): HostKeys {
	const publicKeys = { sign: secretKeys.sign, box: secretKeys.box };
	return {
		host: hostIdOf(publicKeys),
		publicKeys,
		secretKeys,
		sign: (bytes) => sign(null, bytes, signing).toString("base64url"),
		agree: (theirBox) => agreed(box, theirBox),
	};
}

/** The name that follows from the keys; of the bytes, because one key can be written in several ways. */
export function hostIdOf(keys: PublicKeys): string {
	const hash = createHash("sha256").update("rightseat host\n");
	for (const key of [keys.sign, keys.box]) hash.update(Buffer.from(key, "base64url"));
	return base32(hash.digest()).slice(0, 16);
}

/** Did the holder of this key sign these bytes? Never throws, whatever they are. */
export function isSignedBy(signKey: string, bytes: Uint8Array, signature: string): boolean {
	const key = publicKey("Ed25519", signKey);
	if (key === undefined) return false;
	try {
		return verify(null, bytes, key, Buffer.from(signature, "base64url"));
	} catch {
		return false;
	}
}

/** A key for one exchange, that nothing is left of afterwards. */
export interface EphemeralKey {
	readonly text: string;
	agree(theirs: string): Buffer | undefined;
}

export function createEphemeralKey(): EphemeralKey {
	const { privateKey: own } = generateKeyPairSync("x25519");
	return { text: publicText(own), agree: (theirs) => agreed(own, theirs) };
}

function agreed(own: KeyObject, theirs: string): Buffer | undefined {
	const key = publicKey("X25519", theirs);
	if (key === undefined) return undefined;
	try {
		return diffieHellman({ privateKey: own, publicKey: key });
	} catch {
		// A point of small order: whoever sent it wants a secret that everybody knows.
		return undefined;
	}
}

type Curve = "Ed25519" | "X25519";

function publicKey(crv: Curve, x: string): KeyObject | undefined {
	try {
		return createPublicKey({ key: { kty: "OKP", crv, x }, format: "jwk" });
	} catch {
		return undefined;
	}
}

function privateKey(crv: Curve, x: string, d: string): KeyObject | undefined {
	try {
		return createPrivateKey({ key: { kty: "OKP", crv, x, d }, format: "jwk" });
	} catch {
		return undefined;
	}
}

const publicText = (key: KeyObject) => createPublicKey(key).export({ format: "jwk" }).x ?? "";
