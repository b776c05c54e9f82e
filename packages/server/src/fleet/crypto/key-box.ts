import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { createEphemeralKey, type HostKeys } from "./host-keys.ts";

const EPHEMERAL_CHARS = 43;
const BOX_BYTES = 48;

/** A content key for one host only: anybody can make such a box, so what is in it counts only if the signed statement of the key names it. */
export function putInBox(theirBox: string, context: string, key: Uint8Array): string | undefined {
	const ephemeral = createEphemeralKey();
	const secret = ephemeral.agree(theirBox);
	if (secret === undefined) return undefined;
	const cipher = createCipheriv("aes-256-gcm", ...secretsOf(secret, ephemeral.text, theirBox, context));
	const sealed = Buffer.concat([cipher.update(key), cipher.final(), cipher.getAuthTag()]);
	return ephemeral.text + sealed.toString("base64url");
}

/** The key in a box for us; undefined when it is not for us or was changed. */
export function takeFromBox(keys: HostKeys, context: string, box: string): Buffer | undefined {
	const [ephemeral, sealed] = [box.slice(0, EPHEMERAL_CHARS), Buffer.from(box.slice(EPHEMERAL_CHARS), "base64url")];
	const secret = keys.agree(ephemeral);
	if (secret === undefined || sealed.length !== BOX_BYTES) return undefined;
	const decipher = createDecipheriv("aes-256-gcm", ...secretsOf(secret, ephemeral, keys.publicKeys.box, context));
	decipher.setAuthTag(sealed.subarray(32));
	try {
		return Buffer.concat([decipher.update(sealed.subarray(0, 32)), decipher.final()]);
	} catch {
		return undefined;
	}
}

/** What a statement says of a content key, so that everybody knows the right one when it sees it. */
export const commitmentOf = (key: Uint8Array) => createHash("sha256").update("rightseat content key\n").update(key).digest("hex");

/** Key and nonce follow from a secret that is used once. */
function secretsOf(secret: Buffer, ephemeral: string, box: string, context: string): [Buffer, Buffer] {
	const bytes = Buffer.from(hkdfSync("sha256", secret, "", `rightseat key box\n${ephemeral}\n${box}\n${context}`, 44));
	return [bytes.subarray(0, 32), bytes.subarray(32)];
}
