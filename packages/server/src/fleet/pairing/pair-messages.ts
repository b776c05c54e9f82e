import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { fleetIdSchema, hostIdSchema, hostNameSchema } from "@rightseat/protocol/fleet/ids";
import * as z from "zod/mini";
import { keyTextSchema, publicKeysSchema } from "../crypto/host-keys.ts";
import { parseJson } from "../crypto/parse-json.ts";
import { natsKeySchema } from "../members/statement.ts";
import { doorSchema } from "./invite-code.ts";
import { wordsOf } from "./words.ts";

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const sealed = z.string().check(z.maxLength(16_384), z.regex(/^[\w-]+$/));

/** What the two say, in this order: hello, reply, join, welcome. */
const pairMessageSchema = z.discriminatedUnion("kind", [
	/** The newcomer binds itself to a key that it does not show yet: else it could choose one that makes the words it wants. */
	z.object({ kind: z.literal("hello"), v: z.int().check(z.minimum(1)), invite: fleetIdSchema, commit: hash, mac: hash }),
	z.object({ kind: z.literal("reply"), ephemeral: keyTextSchema, mac: hash }),
	z.object({
		kind: z.literal("join"),
		invite: fleetIdSchema,
		ephemeral: keyTextSchema,
		nonce: z.string().check(z.regex(/^[\w-]{22}$/)),
		sealed,
	}),
	z.object({ kind: z.literal("welcome"), sealed }),
	/** A person has not decided yet: ask again. */
	z.object({ kind: z.literal("wait") }),
	z.object({
		kind: z.literal("refused"),
		reason: z.enum(["used", "expired", "rejected", "version", "forged"]),
		by: z.optional(hostNameSchema),
	}),
]);
export type PairMessage = z.infer<typeof pairMessageSchema>;

/** Who wants to join. */
export const newcomerSchema = z.object({
	keys: publicKeysSchema,
	name: hostNameSchema,
	version: z.string().check(z.maxLength(40)),
	/** Its key for the engine. */
	natsKey: z.optional(natsKeySchema),
	/** Its signature over the exchange: the keys are its own. */
	proof: z.string().check(z.regex(/^[\w-]{86}$/)),
});
export type Newcomer = z.infer<typeof newcomerSchema>;

/** What a member must have. The history of members is read from the engine and must lead to this place. */
export const welcomeSchema = z.object({
	fleet: hostIdSchema,
	root: publicKeysSchema,
	members: z.object({ version: z.int().check(z.minimum(1)), head: hash }),
	key: z.object({ number: z.int().check(z.minimum(1)), secret: keyTextSchema }),
	/** With what newcomers may knock, so that every member can invite. */
	door: z.optional(doorSchema),
	/** For the engine, when members share them. */
	credentials: z.optional(z.string().check(z.maxLength(8_192))),
});
export type Welcome = z.infer<typeof welcomeSchema>;

/** The version of this exchange. */
export const PAIR_VERSION = 1;

/** What both know when both have shown their keys. */
export interface PairSecrets {
	transcript: string;
	joinKey: Buffer;
	welcomeKey: Buffer;
}

/** The hash that the newcomer is bound to before it sees the other's key. */
export const commitTo = (ephemeral: string, nonce: string) =>
	createHash("sha256").update(`rightseat pair commit\n${ephemeral}\n${nonce}`).digest("hex");

/** Only who has the code can say this. */
export const macOf = (secret: string, ...said: readonly string[]) =>
	createHmac("sha256", Buffer.from(hkdfSync("sha256", Buffer.from(secret, "base64url"), "", "rightseat pair mac", 32)))
		.update(said.join("\n"))
		.digest("hex");

/** Equal, in the same time whatever they are. */
export const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Keys for both directions; they follow from the agreed secret, from the code's, and from everything that was said. */
export function pairSecrets(agreed: Buffer, secret: string, said: readonly string[]): PairSecrets {
	const transcript = createHash("sha256")
		.update(["rightseat pair", ...said].join("\n"))
		.digest("hex");
	const input = Buffer.concat([agreed, Buffer.from(secret, "base64url")]);
	const bytes = Buffer.from(hkdfSync("sha256", input, transcript, "rightseat pair keys", 64));
	return { transcript, joinKey: bytes.subarray(0, 32), welcomeKey: bytes.subarray(32) };
}

/** Four words that are the same on both sides if nobody stands between them. */
export const pairWords = ({ transcript, joinKey }: PairSecrets, { sign, box }: Newcomer["keys"]): string[] =>
	wordsOf(createHmac("sha256", joinKey).update(`rightseat pair words\n${transcript}\n${sign}\n${box}`).digest().subarray(0, 4));

/** Each key seals one text only, so the nonce can be fixed; a repetition is the same bytes. */
export function sealOnce(key: Buffer, value: unknown): string {
	const cipher = createCipheriv("aes-256-gcm", key, Buffer.alloc(12));
	return Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** What was sealed; undefined when it was changed, or is not for this key. */
export function openOnce(key: Buffer, text: string): unknown {
	const bytes = Buffer.from(text, "base64url");
	if (bytes.length < 16) return undefined;
	const decipher = createDecipheriv("aes-256-gcm", key, Buffer.alloc(12)).setAuthTag(bytes.subarray(bytes.length - 16));
	try {
		return parseJson(Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - 16)), decipher.final()]));
	} catch {
		return undefined;
	}
}

/** A message of anybody; undefined when it is none. */
export function readPairMessage(bytes: Uint8Array): PairMessage | undefined {
	if (bytes.length > MAX_PAIR_BYTES) return undefined;
	const parsed = pairMessageSchema.safeParse(parseJson(bytes));
	return parsed.success ? parsed.data : undefined;
}

const MAX_PAIR_BYTES = 32_768;
