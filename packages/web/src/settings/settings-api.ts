import { permissionModeSchema } from "@rightseat/protocol/model/vocabulary";
import * as z from "zod/mini";
import { request, requestJson } from "../api/request.ts";

const settingsSchema = z.object({
	permissions: permissionModeSchema,
	defaultModel: z.string(),
	notifyTurnEnd: z.boolean(),
	notifyQuestion: z.boolean(),
});
export type ServerSettings = z.infer<typeof settingsSchema>;

const sessionSchema = z.object({
	id: z.string(),
	address: z.string(),
	userAgent: z.string(),
	createdAt: z.string(),
	lastSeenAt: z.string(),
	current: z.boolean(),
});

const auditEntrySchema = z.object({ id: z.number(), at: z.string(), kind: z.string(), source: z.string(), detail: z.string() });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

const partSchema = z.looseObject({ state: z.optional(z.string()), message: z.optional(z.string()), problem: z.optional(z.string()) });
const statusSchema = z.looseObject({
	version: z.optional(z.string()),
	provider: z.optional(z.string()),
	demo: z.optional(z.boolean()),
	workdir: z.optional(z.string()),
	runtime: z.optional(partSchema),
	storage: z.optional(partSchema),
	telegram: z.optional(partSchema),
});

const telegramSchema = z.object({
	enabled: z.boolean(),
	status: z.optional(
		z.looseObject({
			state: z.optional(z.string()),
			message: z.optional(z.string()),
			problem: z.optional(z.string()),
			botUsername: z.optional(z.string()),
		}),
	),
	pairing: z.optional(z.boolean()),
	pending: z.array(z.object({ userId: z.number(), name: z.string(), username: z.optional(z.string()) })),
	people: z.array(z.object({ userId: z.number(), name: z.string(), fixed: z.optional(z.boolean()) })),
});
export type TelegramInfo = z.infer<typeof telegramSchema>;

const loginCodeSchema = z.object({ url: z.string(), qrSvg: z.string(), expiresAt: z.string() });
export type LoginCode = z.infer<typeof loginCodeSchema>;

/** What only the settings need of the server. Every call may throw ApiError. */
export const settingsApi = {
	settings: async () => (await requestJson("/api/settings", z.object({ settings: settingsSchema }))).settings,
	change: async (patch: Partial<ServerSettings>) =>
		(await requestJson("/api/settings", z.object({ settings: settingsSchema }), { method: "PATCH", json: patch })).settings,
	status: () => requestJson("/api/status", statusSchema),
	wake: () => request("/api/runtime/wake", { method: "POST" }),
	sessions: async () => (await requestJson("/api/sessions", z.object({ sessions: z.array(sessionSchema) }))).sessions,
	endSession: (id: string) => request(`/api/sessions/${encodeURIComponent(id)}`, { method: "DELETE" }),
	loginCode: () => requestJson("/api/login-code", loginCodeSchema, { method: "POST" }),
	audit: (before?: string) =>
		requestJson(
			`/api/audit?limit=50${before === undefined ? "" : `&before=${encodeURIComponent(before)}`}`,
			z.object({ entries: z.array(auditEntrySchema), nextCursor: z.optional(z.string()) }),
		),
	telegram: () => requestJson("/api/telegram", telegramSchema),
	pair: async (code: string) =>
		(await requestJson("/api/telegram/pairings", z.object({ person: z.object({ name: z.string() }) }), { method: "POST", json: { code } }))
			.person,
	unpair: (userId: number) => request(`/api/telegram/people/${userId}`, { method: "DELETE" }),
	linkCode: (conversationId: string) =>
		requestJson("/api/telegram/links", z.object({ code: z.string() }), { method: "POST", json: { conversationId } }),
} as const;
