import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";
import { permissionModeSchema } from "../model/vocabulary.ts";

/** What the routes about the server itself answer. */

/** `GET /healthz`: nothing but how it is, because it needs no login; and, for the nonce of a trial, the proof that it is this server. */
export const healthAnswer = z.object({ status: z.enum(["ok", "degraded"]), proof: z.optional(z.string()) });

/** A part of the server: `state`, and when something is wrong a sentence, its code and its values. What else it tells may change. */
const partSchema = z.looseObject({
	state: z.string(),
	message: z.optional(z.string()),
	code: z.optional(z.string()),
	params: z.optional(paramsSchema),
	problem: z.optional(z.string()),
});
/** `GET /api/status`: versions, health, provider, defaults and directories. */
export const statusAnswer = z.object({
	/** Of the language on `/ws`; see docs/websocket.md. */
	protocol: z.number(),
	version: z.string(),
	/** The machine's name. */
	host: z.string(),
	provider: z.string(),
	/** No real model answers. */
	demo: z.boolean(),
	permissions: permissionModeSchema,
	workdir: z.string(),
	roots: z.array(z.string()),
	askTimeoutMs: z.number(),
	runtime: partSchema,
	storage: partSchema,
	telegram: z.optional(partSchema),
	/** Buffers, rings and copies, by what they are for; see RIGHTSEAT_MEMORY_MB. Absent in older servers. */
	memory: z.optional(
		z.object({
			limitBytes: z.number(),
			usedBytes: z.number(),
			/** The most that was used since the start. */
			peakBytes: z.number(),
			accounts: z.record(z.string(), z.number()),
		}),
	),
});

/** What a person can change while the server runs. */
export const settingsSchema = z.object({
	/** Of new conversations. */
	permissions: permissionModeSchema,
	/** Model of new conversations; empty: the configured or the provider's first. */
	defaultModel: z.string().check(z.maxLength(200)),
	/** Agent of new conversations; empty: the configured one. */
	defaultAgent: z.string().check(z.maxLength(40)),
	/** Directory of new conversations; empty: the configured one. */
	workdir: z.string().check(z.maxLength(4096)),
	/** Whether the page still leads through the first steps; `done` when somebody finished or dismissed them, on any device. */
	firstRun: z.enum(["due", "done"]),
	notifyTurnEnd: z.boolean(),
	notifyQuestion: z.boolean(),
});
/** The settings as they stand, defaults included. */
export type ServerSettings = z.infer<typeof settingsSchema>;
/** `GET` and `PATCH /api/settings`: all settings as they stand afterwards. */
export const settingsAnswer = z.object({ settings: settingsSchema });

const auditEntrySchema = z.object({ id: z.number(), at: z.string(), kind: z.string(), source: z.string(), detail: z.string() });
/** One line of the audit log: who did what, when and from where. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;
/** `GET /api/audit`: a page, newest first. */
export const auditAnswer = z.object({ entries: z.array(auditEntrySchema), nextCursor: z.optional(z.string()) });

/** The key under which a browser subscribes to pushes. */
export const pushKeyAnswer = z.object({ publicKey: z.string() });
