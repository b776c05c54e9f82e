import * as z from "zod/mini";
import { agentCommandsAnswer } from "./agent-commands.ts";
import { mcpServersAnswer, mcpServersBody, mcpTestAnswer, mcpTestBody } from "./mcp-servers.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";

/** How an MCP server of a conversation is. `pending`: it is being started, or will be with the next prompt. */
export const MCP_STATES = ["pending", "connected", "failed", "needs-auth", "disabled"] as const;
const stateSchema = z.enum(MCP_STATES);

/** An MCP server of a conversation. */
export const mcpServerState = z.object({
	name: z.string(),
	state: stateSchema,
	/** Their names, as far as they are known; bounded. */
	tools: z.array(z.string()),
	/** `settings`, `config.json`, or the file of the folder. */
	source: z.string(),
	enabled: z.boolean(),
	/** Why it failed, in words. */
	error: z.optional(z.string()),
	/** A prompt waits for this one. */
	waiting: z.optional(z.literal(true)),
	/** Where another one of this name stands, which is not used because of this one. */
	hides: z.optional(z.array(z.string())),
});
/** An MCP server of a conversation. */
export type McpServerState = z.infer<typeof mcpServerState>;

/** A skill, an agent or a file of instructions. */
export const setupItem = z.object({
	name: z.string(),
	/** The file, or who brings it. */
	source: z.string(),
	description: z.optional(z.string()),
	enabled: z.boolean(),
});
/** A skill, an agent or a file of instructions. */
export type SetupItem = z.infer<typeof setupItem>;

/** What the agent of a conversation has been given. */
export const conversationSetupAnswer = z.object({
	trusted: z.boolean(),
	mcp: z.array(mcpServerState),
	skills: z.array(setupItem),
	agents: z.array(setupItem),
	instructions: z.array(setupItem),
	/** A session is open: this is what it has. Otherwise it is what the next one will be given. */
	open: z.boolean(),
});
/** What the agent of a conversation has been given. */
export type ConversationSetup = z.infer<typeof conversationSetupAnswer>;

/** The page on which a person signs in to a server; empty when it was not necessary. */
export const mcpLoginAnswer = z.object({
	authorizationUrl: z.optional(z.string()),
	/** Where the browser ends: an address of the machine that the server runs on. It is pasted when the browser is elsewhere. */
	redirectUrl: z.optional(z.string()),
});
/** The page on which a person signs in to a server. */
export type McpLogin = z.infer<typeof mcpLoginAnswer>;
/** The address on which the browser ended. */
export const mcpLoginBody = z.object({ url: z.string().check(z.maxLength(8_192)) });
/** What became of the server. */
export const mcpLoginDone = z.object({ state: stateSchema });

/** Routes about MCP servers and what else agents are given. */
export const setupRoutes: HttpRoute[] = [
	{ method: "GET", path: "/api/mcp", about: "The person's own MCP servers; no secret.", answers: ok(mcpServersAnswer) },
	{
		method: "PUT",
		path: "/api/mcp",
		about: "Replace the person's own MCP servers; values that are not sent stay.",
		body: mcpServersBody,
		answers: ok(mcpServersAnswer),
	},
	{
		method: "POST",
		path: "/api/mcp/test",
		about: "Start one MCP server, ask for its tools and end it.",
		body: mcpTestBody,
		answers: ok(mcpTestAnswer),
		refusals: [404, 502],
	},
	{
		method: "GET",
		path: "/api/conversations/:id/setup",
		about: "What the agent of a conversation has been given: MCP servers, skills, agents, instructions.",
		answers: ok(conversationSetupAnswer),
		refusals: [404],
	},
	{
		method: "GET",
		path: "/api/conversations/:id/commands",
		about: "What a prompt can begin with: skills and commands of its agent, as `/name`.",
		answers: ok(agentCommandsAnswer),
		refusals: [404],
	},
	{
		method: "POST",
		path: "/api/conversations/:id/mcp/go-on",
		about: "The prompt waits no longer for MCP servers that do not answer.",
		answers: DONE,
		refusals: [404],
	},
	{
		method: "POST",
		path: "/api/conversations/:id/mcp/:name/login",
		about: "Begin to sign in to an MCP server.",
		answers: ok(mcpLoginAnswer),
		refusals: [404, 409, 502],
	},
	{
		method: "PUT",
		path: "/api/conversations/:id/mcp/:name/login",
		about: "Sign in with the address on which the browser ended.",
		body: mcpLoginBody,
		answers: ok(mcpLoginDone),
		refusals: [404, 409, 502],
	},
];
