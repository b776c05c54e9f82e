import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";
import { originSchema } from "../model/vocabulary.ts";
import { fleetIdSchema, hostIdSchema, hostTimeSchema, ownConversationIdSchema } from "./ids.ts";
import { chainSchema } from "./position.ts";

/** Version of what hosts say to each other; goes up when an older host would misunderstand a command. */
export const FLEET_VERSION = 1;
/** What a host understands; one release later the older language is still spoken. */
export const FLEET_VERSIONS: FleetVersions = { min: 1, max: FLEET_VERSION };
/** From which to which version. */
export interface FleetVersions {
	min: number;
	max: number;
}

/** The newest language that both understand; undefined: there is none. */
export function commonVersion(ours: FleetVersions, theirs: FleetVersions): number | undefined {
	const newest = Math.min(ours.max, theirs.max);
	return newest >= Math.max(ours.min, theirs.min) ? newest : undefined;
}
/** A command is carried out within this time after it was sent, by the clock of the host that carries it out, or not at all. */
export const COMMAND_LIFE_MS = 60_000;

/** Something that one host asks of another. It is signed, so every field of it is bound to the others. */
export const fleetCommandSchema = z.object({
	v: z.int().check(z.minimum(1)),
	id: fleetIdSchema,
	fleet: hostIdSchema,
	from: hostIdSchema,
	to: hostIdSchema,
	/** Only this run of the receiver may carry it out. */
	instance: z.optional(fleetIdSchema),
	conversationId: z.optional(ownConversationIdSchema),
	/** Who asked, there: for the audit of the host where it runs. */
	actor: z.object({ origin: originSchema, from: z.optional(z.string().check(z.maxLength(200))) }),
	/** In the receiver's clock: what was sent before it slept is not run when it wakes. */
	notAfter: z.int().check(z.minimum(0)),
	/** Of the lease under which the sender acts; a lower one than the receiver has seen is refused. */
	fence: z.optional(z.object({ lease: z.string().check(z.minLength(1), z.maxLength(64)), number: z.int().check(z.minimum(1)) })),
	/** A client frame as on `/ws`, or one of the fleet's own. */
	frame: z.object({ type: z.string().check(z.minLength(1), z.maxLength(64)), data: z.optional(z.record(z.string(), z.unknown())) }),
});
/** Something that one host asks of another. */
export type FleetCommand = z.infer<typeof fleetCommandSchema>;

/** What became of a command. It is signed and names the command, so that nobody else can say "done". */
export const fleetAnswerSchema = z.object({
	id: fleetIdSchema,
	from: hostIdSchema,
	to: hostIdSchema,
	result: z.discriminatedUnion("kind", [
		/** Carried out, now or before; `frames` are what `/ws` would have said, as text. */
		z.object({ kind: z.literal("done"), frames: z.array(z.string()).check(z.maxLength(2_001)) }),
		z.object({
			kind: z.literal("refused"),
			code: z.string().check(z.maxLength(64)),
			message: z.string().check(z.maxLength(2_000)),
			params: z.optional(paramsSchema),
			retryable: z.optional(z.boolean()),
		}),
	]),
});
/** What became of a command. */
export type FleetAnswer = z.infer<typeof fleetAnswerSchema>;

/** A text with the signature of a host, or of the fleet's root key. */
export const signedSchema = z.object({
	by: z.union([hostIdSchema, z.literal("root")]),
	payload: z.string(),
	signature: z.string().check(z.regex(/^[\w-]{86}$/)),
});
/** A signed text. */
export type Signed = z.infer<typeof signedSchema>;

/** What stands before the bytes of one part of a snapshot; equal in all parts of one set, but for `part`. */
export const snapshotPartSchema = z.object({
	generation: z.int().check(z.minimum(0)),
	epoch: z.string().check(z.minLength(1), z.maxLength(64)),
	seq: z.int().check(z.minimum(0)),
	chain: chainSchema,
	/** When the owner made it, in its clock: "copy of 14:03". */
	at: hostTimeSchema,
	part: z.int().check(z.minimum(0)),
	parts: z.int().check(z.minimum(1), z.maximum(64)),
	signature: z.string().check(z.regex(/^[\w-]{86}$/)),
});
/** What is known of one part of a snapshot. */
export type SnapshotPart = z.infer<typeof snapshotPartSchema>;
