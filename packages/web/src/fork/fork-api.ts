import { conversationAnswer, conversationsAnswer } from "@rightseat/protocol/http/conversations";
import { requestJson } from "../api/request.ts";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

/** Forks over HTTP. Every call may throw ApiError. */
export const forkApi = {
	fork: async (id: string, json: { beforeMessageId?: string; prompt?: string; clientMessageId: string }) =>
		(await requestJson(`${of(id)}/fork`, conversationAnswer, { method: "POST", json })).conversation,
	forks: async (id: string, signal: AbortSignal) => (await requestJson(`${of(id)}/forks`, conversationsAnswer, { signal })).conversations,
	find: async (id: string, signal: AbortSignal) => (await requestJson(of(id), conversationAnswer, { signal })).conversation,
} as const;
