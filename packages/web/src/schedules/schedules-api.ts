import { type NewSchedule, type SchedulePatch, scheduleAnswer, schedulesAnswer } from "@rightseat/protocol/http/schedules";
import { request, requestJson } from "../api/request.ts";

const of = (id: string) => `/api/schedules/${encodeURIComponent(id)}`;

/** Schedules over HTTP. Every call may throw ApiError. */
export const schedulesApi = {
	list: async () => (await requestJson("/api/schedules", schedulesAnswer)).schedules,
	create: (json: NewSchedule) => requestJson("/api/schedules", scheduleAnswer, { method: "POST", json }),
	update: (id: string, json: SchedulePatch) => requestJson(of(id), scheduleAnswer, { method: "PATCH", json }),
	remove: (id: string) => request(of(id), { method: "DELETE" }),
	/** The same id twice is one run: a click that is repeated because no answer came does nothing more. */
	run: (id: string, runId: string) => requestJson(`${of(id)}/run`, scheduleAnswer, { method: "POST", json: { runId } }),
	decide: (id: string, decision: "run" | "skip") => requestJson(`${of(id)}/missed`, scheduleAnswer, { method: "POST", json: { decision } }),
} as const;
