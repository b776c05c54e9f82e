import { agentsAnswer } from "@rightseat/protocol/http/agents";
import {
	conversationAnswer,
	conversationsAnswer,
	messageAnswer,
	messagesAnswer,
	modelsAnswer,
	searchAnswer,
	toolAnswer,
} from "@rightseat/protocol/http/conversations";
import { attachmentAnswer } from "@rightseat/protocol/http/files";
import { loginMethodsAnswer } from "@rightseat/protocol/http/login-methods";
import type { ConversationPatch, NewConversation } from "@rightseat/protocol/http/requests";
import { probe, REVOKED_CODE } from "./probe.ts";
import { type ApiError, request, requestJson } from "./request.ts";

/** One of these lets a person in; `passkey` is the signed answer to the server's challenge. */
export type Credentials = { token: string } | { code: string } | { password: string } | { passkey: object };

/** A git work tree for a new conversation: on this branch, with this command first. */
export type NewWorktree = true | { branch?: string; setup?: string };

export const wasRevoked = ({ code }: ApiError): boolean => code === REVOKED_CODE;

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

/** The server's HTTP API, typed. Every call may throw ApiError. */
export const api = {
	async login(credentials: Credentials): Promise<void> {
		if ("passkey" in credentials) await request("/api/login/passkey", { method: "POST", json: { response: credentials.passkey } });
		else await request("/api/login", { method: "POST", json: credentials });
	},
	/** What there is beside the access token; answered to everyone. */
	loginMethods: () => requestJson("/api/login-methods", loginMethodsAnswer),
	async logout(everywhere = false): Promise<void> {
		// The first ends every other device; this one follows, because whoever presses it cannot be sure which cookie was copied.
		if (everywhere) await request("/api/logout-everywhere", { method: "POST" });
		await request("/api/logout", { method: "POST" });
	},
	probe,
	models: (agent?: string) =>
		requestJson(`/api/copilot/models${agent === undefined ? "" : `?agent=${encodeURIComponent(agent)}`}`, modelsAnswer),
	agents: () => requestJson("/api/agents", agentsAnswer),
	conversations: (page: { cursor?: string; archived?: boolean } = {}) => {
		const query = new URLSearchParams({ limit: "100" });
		if (page.cursor !== undefined) query.set("cursor", page.cursor);
		if (page.archived !== undefined) query.set("archived", String(page.archived));
		return requestJson(`/api/conversations?${query}`, conversationsAnswer);
	},
	createConversation: async (input: NewConversation & { worktree?: NewWorktree; host?: string }) =>
		(await requestJson("/api/conversations", conversationAnswer, { method: "POST", json: input })).conversation,
	conversation: async (id: string) => (await requestJson(of(id), conversationAnswer)).conversation,
	updateConversation: async (id: string, patch: ConversationPatch) =>
		(await requestJson(of(id), conversationAnswer, { method: "PATCH", json: patch })).conversation,
	async deleteConversation(id: string): Promise<void> {
		await request(of(id), { method: "DELETE" });
	},
	messages: (id: string, page: { before?: string; limit: number }) => {
		const query = new URLSearchParams({ limit: String(page.limit) });
		if (page.before !== undefined) query.set("before", page.before);
		return requestJson(`${of(id)}/messages?${query}`, messagesAnswer);
	},
	/** One message with everything that pages and snapshots leave out. */
	message: async (id: string, messageId: string, signal?: AbortSignal) =>
		(await requestJson(`${of(id)}/messages/${encodeURIComponent(messageId)}`, messageAnswer, { signal })).message,
	/** One call of a tool with all of its arguments and its result, also of the running turn. */
	tool: async (id: string, call: { messageId: string; toolCallId: string }, signal?: AbortSignal) => {
		const path = `${of(id)}/messages/${encodeURIComponent(call.messageId)}/tools/${encodeURIComponent(call.toolCallId)}`;
		return (await requestJson(path, toolAnswer, { signal })).tool;
	},
	search: async (query: string, signal?: AbortSignal) =>
		(await requestJson(`/api/search?q=${encodeURIComponent(query)}`, searchAnswer, signal === undefined ? {} : { signal })).results,
	exportUrl: (id: string, format: "markdown" | "json") => `${of(id)}/export?format=${format}`,
	/** A file of another host is found by its conversation. */
	attachmentUrl: (id: string, conversation?: string) =>
		`/api/attachments/${encodeURIComponent(id)}${conversation === undefined ? "" : `?conversation=${encodeURIComponent(conversation)}`}`,
	upload: async (file: File) => {
		const name = encodeURIComponent(file.name.toWellFormed());
		return (await requestJson(`/api/attachments?name=${name}`, attachmentAnswer, { method: "POST", body: file })).attachment;
	},
} as const;
export type Api = typeof api;
