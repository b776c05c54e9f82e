import { expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createToolCalls } from "./sdk-tools.ts";
import { EXCLUDED_TOOLS, LARGE_OUTPUT_BYTES, sessionConfig } from "./session-config.ts";

const options = {
	sessionId: "c",
	previous: null,
	model: "m",
	cwd: "/project",
	tools: [],
	settings: () => ({ mode: "agent", effort: "" }),
	onModeLeft: () => undefined,
	onTodos: () => undefined,
	form: () => Promise.reject(new Error("no channel")),
	mayGoOn: () => true,
	askPlan: async () => ({ approved: true }),
	onLateUsage: () => undefined,
	ask: () => Promise.reject(new Error("no channel")),
	permit: () => Promise.reject(new Error("no channel")),
};
const build = (more: object = {}) =>
	sessionConfig({
		options,
		model: "m",
		spills: "/private",
		isTrusted: false,
		logger: silentLogger,
		turn: () => undefined,
		session: () => undefined,
		once: createToolCalls(),
		...more,
	});

test("[RT64] every session is infinite, streams, works in its directory and appends our system prompt", () => {
	expect(build({ systemPrompt: "Be brief.", provider: { baseUrl: "http://x" } })).toMatchObject({
		model: "m",
		workingDirectory: "/project",
		streaming: true,
		infiniteSessions: { enabled: true },
		includeSubAgentStreamingEvents: true,
		systemMessage: { mode: "append", content: "Be brief." },
		provider: { baseUrl: "http://x" },
		excludedTools: [...EXCLUDED_TOOLS, "lsp"],
		largeOutput: { enabled: true, maxSizeBytes: LARGE_OUTPUT_BYTES, outputDirectory: "/private" },
	});
	expect(build()).not.toHaveProperty("systemMessage");
});

test("[RT65] a request that comes after its turn has ended is refused with a sentence", async () => {
	const late = build();
	expect(await late.onPermissionRequest?.({ kind: "read", path: "/x", intention: "" }, { sessionId: "c" })).toEqual({
		kind: "reject",
		feedback: "The turn that asked for this is over.",
	});
	expect(await late.onUserInputRequest?.({ question: "?" }, { sessionId: "c" })).toEqual({
		answer: "The turn that asked is over.",
		wasFreeform: true,
	});
});

test("[RT412] whatever else is configured, telemetry, the memory at GitHub and GitHub's own MCP server are off", () => {
	const servers = { mcpServers: {}, disabledMcpServers: ["mine"] };
	for (const more of [{}, { gitHubToken: "t" }, { isTrusted: true, servers }, { provider: { baseUrl: "http://x" } }]) {
		expect(build(more)).toMatchObject({ enableSessionTelemetry: false, memory: { enabled: false } });
		expect(build(more).disabledMcpServers).toContain("github-mcp-server");
	}
});
