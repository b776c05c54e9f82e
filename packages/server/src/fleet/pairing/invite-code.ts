import { createHash, randomBytes } from "node:crypto";
import { fleetIdSchema, hostIdSchema } from "@rightseat/protocol/fleet/ids";
import * as z from "zod/mini";
import { base32 } from "../crypto/base32.ts";
import { parseJson } from "../crypto/parse-json.ts";

/** As in a file for credentials, on one line. */
export const doorSchema = z.string().check(z.maxLength(200), z.regex(/^[^\s:]+:\S+$/));

/** What a newcomer needs to find the inviter, and to be told from everybody who was not invited. */
export const inviteSchema = z.object({
	/** Where the engine is. */
	url: z.string().check(z.maxLength(300), z.regex(/^(?:nats|tls):\/\/\S+$/)),
	fleet: hostIdSchema,
	/** Who invites. */
	host: hostIdSchema,
	invite: fleetIdSchema,
	/** 128 bits that only the code has. */
	secret: z.string().check(z.regex(/^[\w-]{22}$/)),
	/** `user:password` with which a newcomer may knock at the engine, and nothing else. */
	door: z.optional(doorSchema),
	/** SHA-256 of the certificate that the engine must show; without it the system's authorities decide. */
	ca: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});
export type Invite = z.infer<typeof inviteSchema>;

/** A longer code is none. */
export const MAX_CODE_CHARS = 1_024;
const PREFIX = "rs1.";

/** A new invitation; its id and its secret are used once. */
export const createInvite = (to: Pick<Invite, "url" | "fleet" | "host" | "ca" | "door">): Invite => ({
	...to,
	invite: base32(randomBytes(10)),
	secret: randomBytes(16).toString("base64url"),
});

/** As it is copied or scanned, with a sum that tells a torn one. */
export function writeInviteCode(invite: Invite): string {
	const text = Buffer.from(JSON.stringify(invite)).toString("base64url");
	return `${PREFIX}${text}.${sumOf(text)}`;
}

/** The invitation in a code. `torn`: it was one, and a part is missing or changed. Line breaks of a terminal do no harm. */
export function readInviteCode(code: string): Invite | "torn" | "none" {
	if (code.length > MAX_CODE_CHARS) return "none";
	const [, text = "", sum = ""] = /^rs1\.([\w-]+)(?:\.([a-z2-7]*))?$/.exec(code.replace(/\s/g, "")) ?? [];
	if (text === "") return "none";
	if (sumOf(text) !== sum) return "torn";
	const parsed = inviteSchema.safeParse(parseJson(Buffer.from(text, "base64url")));
	return parsed.success ? parsed.data : "none";
}

const sumOf = (text: string) => base32(createHash("sha256").update(text).digest()).slice(0, 6);
