import { auditAnswer, type ServerSettings, settingsAnswer, statusAnswer } from "@rightseat/protocol/http/app";
import { loginCodeAnswer, sessionsAnswer } from "@rightseat/protocol/http/login";
import { linkCodeAnswer, pairedAnswer, telegramAnswer } from "@rightseat/protocol/http/telegram";
import { request, requestJson } from "../api/request.ts";

/** What only the settings need of the server. Every call may throw ApiError. */
export const settingsApi = {
	settings: async () => (await requestJson("/api/settings", settingsAnswer)).settings,
	change: async (patch: Partial<ServerSettings>) =>
		(await requestJson("/api/settings", settingsAnswer, { method: "PATCH", json: patch })).settings,
	status: () => requestJson("/api/status", statusAnswer),
	wake: () => request("/api/runtime/wake", { method: "POST" }),
	sessions: async () => (await requestJson("/api/sessions", sessionsAnswer)).sessions,
	endSession: (id: string) => request(`/api/sessions/${encodeURIComponent(id)}`, { method: "DELETE" }),
	loginCode: () => requestJson("/api/login-code", loginCodeAnswer, { method: "POST" }),
	audit: (before?: string) =>
		requestJson(`/api/audit?limit=50${before === undefined ? "" : `&before=${encodeURIComponent(before)}`}`, auditAnswer),
	telegram: () => requestJson("/api/telegram", telegramAnswer),
	pair: async (code: string) => (await requestJson("/api/telegram/pairings", pairedAnswer, { method: "POST", json: { code } })).person,
	unpair: (userId: number) => request(`/api/telegram/people/${userId}`, { method: "DELETE" }),
	linkCode: (conversationId: string) => requestJson("/api/telegram/links", linkCodeAnswer, { method: "POST", json: { conversationId } }),
} as const;
