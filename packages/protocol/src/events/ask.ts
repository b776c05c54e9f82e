import * as z from "zod/mini";
import { permissionRequestSchema, questionSchema } from "../model/ask.ts";
import { originSchema } from "../model/vocabulary.ts";
import { event } from "./event-frame.ts";

const resolution = { requestId: z.string(), outcome: z.enum(["answered", "expired", "aborted"]), by: z.optional(originSchema) };

/** Questions and permission requests, and how they were settled. */
export const askEvents = [
	event("copilot:user_input_request", questionSchema.shape),
	event("copilot:user_input_resolved", { ...resolution, answer: z.optional(z.string()) }),
	event("copilot:permission_request", permissionRequestSchema.shape),
	event("copilot:permission_resolved", { ...resolution, decision: z.optional(z.string()) }),
] as const;
