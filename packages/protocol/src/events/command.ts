import * as z from "zod/mini";
import { contextItemSchema } from "../model/command.ts";
import { originSchema } from "../model/vocabulary.ts";
import { event } from "./event-frame.ts";

/** `!cmd`: a command of a person. */
export const commandEvents = [
	event("bash:start", {
		execId: z.string(),
		command: z.string(),
		cwd: z.string(),
		startedAt: z.string(),
		origin: originSchema,
		clientMessageId: z.optional(z.string()),
	}),
	event("bash:output", { execId: z.string(), stream: z.enum(["stdout", "stderr", "output"]), output: z.string() }),
	event("bash:done", {
		execId: z.string(),
		exitCode: z.nullable(z.number()),
		cwd: z.string(),
		truncated: z.boolean(),
		durationMs: z.number(),
		messageId: z.optional(z.string()),
	}),
	event("bash:context", { items: z.array(contextItemSchema) }),
] as const;
