import { inboxAnswer } from "@rightseat/protocol/http/inbox";
import { request, requestJson } from "../api/request.ts";

const of = (id: string, what: "seen" | "snooze") => `/api/inbox/${encodeURIComponent(id)}/${what}`;

/** The inbox over HTTP. Every call may throw ApiError. */
export const inboxApi = {
	list: () => requestJson("/api/inbox", inboxAnswer),
	seen: async (id: string) => void (await request(of(id, "seen"), { method: "POST" })),
	snooze: async (id: string, until: Date) =>
		void (await request(of(id, "snooze"), { method: "POST", json: { until: until.toISOString() } })),
	wake: async (id: string) => void (await request(of(id, "snooze"), { method: "DELETE" })),
} as const;
