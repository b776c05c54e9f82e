import { createHash } from "node:crypto";
import { type Signed, signedSchema } from "@rightseat/protocol/fleet/command";
import { fleetIdSchema, hostIdSchema } from "@rightseat/protocol/fleet/ids";
import * as z from "zod/mini";
import type { HostKeys } from "../crypto/host-keys.ts";
import { publicKeysSchema } from "../crypto/host-keys.ts";
import { parseJson } from "../crypto/parse-json.ts";
import { signText } from "../crypto/signed-text.ts";

/** What a host may do on another: look; also write to the agent; also everything else. */
export const ROLES = ["watch", "talk", "full"] as const;
const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** The public half of a key with which a host logs in at the engine: for whoever decides there who may say what. */
export const natsKeySchema = z.string().check(z.regex(/^U[A-Z2-7]{55}$/));
const memberSchema = z.object({ host: hostIdSchema, keys: publicKeysSchema, role: roleSchema, natsKey: z.optional(natsKeySchema) });
/** A host that belongs to the fleet. */
export type Member = z.infer<typeof memberSchema>;

/** The newest content key, without the key: whoever gets it knows by the commitment that it is the one. */
const keyShape = { number: z.int().check(z.minimum(1)), commitment: hash };

/** One step in the history of who belongs to the fleet. Each names the one before it, so nobody can leave one out. */
const statementSchema = z.object({
	fleet: hostIdSchema,
	version: z.int().check(z.minimum(1)),
	/** Hash of the statement before; empty for the first. */
	previous: z.union([hash, z.literal("")]),
	at: z.int().check(z.minimum(0)),
	act: z.discriminatedUnion("kind", [
		/** `newcomers`: what they may do unless the invitation says something else. */
		z.object({ kind: z.literal("found"), root: publicKeysSchema, member: memberSchema, ...keyShape, newcomers: z.optional(roleSchema) }),
		z.object({ kind: z.literal("add"), member: memberSchema, invite: fleetIdSchema }),
		z.object({ kind: z.literal("remove"), host: hostIdSchema }),
		z.object({ kind: z.literal("role"), host: hostIdSchema, role: roleSchema }),
		z.object({ kind: z.literal("key"), ...keyShape }),
	]),
});
export type Statement = z.infer<typeof statementSchema>;
export type Act = Statement["act"];

/** Longer than that none is. */
export const MAX_STATEMENT_CHARS = 4_096;

/** Signs the next statement; `by` is a host, or `root`. */
export const signStatement = (keys: HostKeys, by: string, statement: Statement): Signed =>
	signText(keys, by, "statement", JSON.stringify(statement));

/** The statement in a signed text of anybody; whether it counts is for the members to say. */
export function readStatement(value: unknown): { signed: Signed; statement: Statement } | undefined {
	const signed = signedSchema.safeParse(value);
	if (!signed.success || signed.data.payload.length > MAX_STATEMENT_CHARS) return undefined;
	const statement = statementSchema.safeParse(parseJson(signed.data.payload));
	return statement.success ? { signed: signed.data, statement: statement.data } : undefined;
}

/** What the next statement must name. Without the signature: one text can have several. */
export const statementHash = ({ by, payload }: Signed) => createHash("sha256").update(`${by}\n${payload}`).digest("hex");
