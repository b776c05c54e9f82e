import type { Agent } from "@rightseat/protocol/http/agents";

const ALL = { resume: true, steer: true, models: true, images: true, sharedShell: true };

/** Agents for tests: Copilot and one of each state that asks something of a person. */
export const TEST_AGENTS: readonly Agent[] = [
	{ id: "copilot", name: "GitHub Copilot", kind: "copilot", state: "ready", capabilities: ALL },
	{
		id: "opencode",
		name: "opencode",
		kind: "acp",
		state: "idle",
		version: "1.18.33",
		capabilities: { ...ALL, steer: false, images: false },
	},
	{
		id: "claude",
		name: "Claude Code",
		kind: "acp",
		state: "missing",
		message: "Claude Code is not installed.",
		installCommand: "npm install -g claude-adapter",
		account: "Anthropic",
		capabilities: ALL,
	},
	{
		id: "codex",
		name: "Codex",
		kind: "acp",
		state: "login-needed",
		loginCommand: "codex login",
		account: "OpenAI",
		capabilities: { ...ALL, sharedShell: false },
	},
];
