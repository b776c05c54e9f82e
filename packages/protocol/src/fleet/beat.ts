import * as z from "zod/mini";
import { fleetIdSchema, hostIdSchema, hostNameSchema, hostTimeSchema } from "./ids.ts";
import { headSchema } from "./position.ts";

/** Larger than that no beat is sent; heads that do not fit wait for the next one. */
export const MAX_BEAT_BYTES = 8_192;
/** After so many beats that did not come a host counts as silent. */
export const MISSED_BEATS = 3;

/** A sign of life of a host. */
export const beatSchema = z.object({
	host: hostIdSchema,
	/** Of this run of its server. */
	instance: fleetIdSchema,
	/** Goes up with every run, whatever its clock says. An earlier version does not tell it. */
	run: z.optional(z.int().check(z.minimum(1))),
	/** Counts the beats of one run: an older one that arrives later says nothing. */
	number: z.int().check(z.minimum(1)),
	intervalMs: z.int().check(z.minimum(1_000), z.maximum(120_000)),
	/** Its clock, in which commands for it expire. */
	clock: hostTimeSchema,
	/** Goes up with its card and its list of conversations. */
	revision: z.int().check(z.minimum(0)),
	/** How much it knows of who belongs to the fleet: what is withheld from somebody shows. */
	members: z.object({ version: z.int().check(z.minimum(0)), head: z.string().check(z.maxLength(64)) }),
	/** It stops now, and says so. */
	isLast: z.optional(z.boolean()),
	/** Conversations that changed in the last minute, newest first. */
	heads: z.array(headSchema).check(z.maxLength(100)),
});
/** A sign of life of a host. */
export type Beat = z.infer<typeof beatSchema>;

/** Who a host is; kept by the engine so that an offline one has a name. */
export const hostCardSchema = z.object({
	host: hostIdSchema,
	name: hostNameSchema,
	/** Of Rightseat there. */
	version: z.string().check(z.maxLength(40)),
	/** Versions of the fleet's language that it understands. */
	protocol: z.object({ min: z.int().check(z.minimum(1)), max: z.int().check(z.minimum(1)) }),
	platform: z.string().check(z.maxLength(40)),
	/** When it joined, in its own clock. */
	since: hostTimeSchema,
});
/** Who a host is. */
export type HostCard = z.infer<typeof hostCardSchema>;
