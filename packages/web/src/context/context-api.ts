import { asideAnswer, compactAnswer, contextAnswer } from "@rightseat/protocol/http/context";
import { requestJson } from "../api/request.ts";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

/** The context of a conversation over HTTP. Every call may throw ApiError. */
export const contextApi = {
	look: (id: string) => requestJson(`${of(id)}/context`, contextAnswer),
	compact: (id: string) => requestJson(`${of(id)}/compact`, compactAnswer, { method: "POST", json: { requestId: crypto.randomUUID() } }),
	ask: async (id: string, question: string) =>
		(await requestJson(`${of(id)}/aside`, asideAnswer, { method: "POST", json: { question, requestId: crypto.randomUUID() } })).answer,
} as const;
