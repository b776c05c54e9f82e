import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";
import { hostViewSchema } from "./fleet.ts";

/** How the fleet stands, apart from the frames that every page gets at once. */

/** `GET /api/hosts`: this one first; empty without a fleet. */
export const hostsAnswer = z.object({
	hosts: z.array(
		z.extend(hostViewSchema, {
			/** How far its clock is ahead of the one here; absent while it was not heard. */
			clockAheadMs: z.optional(z.number()),
		}),
	),
});

/** `GET /api/fleet`: whether the engine that carries the fleet can be reached, and what is wrong; null without a fleet. */
export const fleetStatusAnswer = z.object({
	status: z.nullable(
		z.object({
			/** `connecting`: it comes by itself. `refused`: a person must do something. */
			kind: z.enum(["connected", "connecting", "refused"]),
			url: z.string(),
			/** What is wrong, also while it is connected: copies are not kept, say. */
			problem: z.optional(z.object({ code: z.string(), message: z.string(), params: z.optional(paramsSchema) })),
		}),
	),
});
