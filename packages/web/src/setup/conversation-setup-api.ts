import { type McpServerInput, type McpServersAnswer, mcpServersAnswer, mcpTestAnswer } from "@rightseat/protocol/http/mcp-servers";
import { conversationSetupAnswer, mcpLoginAnswer, mcpLoginDone } from "@rightseat/protocol/http/setup";
import { request, requestJson } from "../api/request.ts";

const of = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;
const login = (id: string, server: string) => `${of(id)}/mcp/${encodeURIComponent(server)}/login`;

/** What the agent of a conversation was given. Every call may throw ApiError. */
export const conversationSetupApi = {
	get: (id: string, signal?: AbortSignal) =>
		requestJson(`${of(id)}/setup`, conversationSetupAnswer, signal === undefined ? {} : { signal }),
	async switchServer(id: string, server: string, isOn: boolean): Promise<void> {
		await request(of(id), { method: "PATCH", json: { mcp: { [server]: isOn } } });
	},
	/** Empty: none of them. */
	async setAgent(id: string, agentProfile: string): Promise<void> {
		await request(of(id), { method: "PATCH", json: { agentProfile } });
	},
	async goOn(id: string): Promise<void> {
		await request(`${of(id)}/mcp/go-on`, { method: "POST" });
	},
	beginLogin: (id: string, server: string) => requestJson(login(id, server), mcpLoginAnswer, { method: "POST" }),
	endLogin: (id: string, server: string, url: string) => requestJson(login(id, server), mcpLoginDone, { method: "PUT", json: { url } }),
} as const;

/** The person's own MCP servers; secrets are sent and never given back. */
export const ownServersApi = {
	list: () => requestJson("/api/mcp", mcpServersAnswer),
	replace: (mcpServers: Readonly<Record<string, McpServerInput>>): Promise<McpServersAnswer> =>
		requestJson("/api/mcp", mcpServersAnswer, { method: "PUT", json: { mcpServers } }),
	test: (wanted: { name?: string; server?: McpServerInput }) =>
		requestJson("/api/mcp/test", mcpTestAnswer, { method: "POST", json: wanted }),
} as const;
