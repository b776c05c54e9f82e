import { randomBytes } from "node:crypto";
import type { AgentCapabilities } from "../../core/ports/agent-runtime.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { codexConfig } from "./codex-config.ts";

/** An agent that needs no entry in the configuration: its program is known by name. */
export interface KnownAgent extends AgentDefinition {
	/** The program that people know it by, when that one does not speak ACP itself and another package has to stand before it. */
	readonly behind?: string;
}

const NOTHING: AgentCapabilities = { resume: false, steer: false, models: false, images: false, sharedShell: false };

/** In the order in which people are offered them. None is bundled, none is ever installed by us. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
	{
		id: "claude",
		name: "Claude Code",
		command: ["claude-agent-acp"],
		behind: "claude",
		installCommand: "npm install -g @agentclientprotocol/claude-agent-acp",
		loginCommand: "claude auth login",
		account: "Anthropic",
		environment: () => ({}),
		expected: { resume: true, steer: true, models: true, images: true, sharedShell: true },
	},
	{
		id: "codex",
		name: "Codex",
		command: ["codex-acp"],
		behind: "codex",
		installCommand: "npm install -g @agentclientprotocol/codex-acp",
		loginCommand: "codex login",
		account: "OpenAI",
		// In the mode that it takes by itself a second model decides what may run. And there is no screen here that a browser could open on.
		environment: ({ CODEX_CONFIG }) => ({ INITIAL_AGENT_MODE: "read-only", NO_BROWSER: "1", CODEX_CONFIG: codexConfig(CODEX_CONFIG) }),
		expected: { resume: true, steer: true, models: true, images: true, sharedShell: true },
	},
	{
		id: "opencode",
		name: "opencode",
		command: ["opencode", "acp"],
		installCommand: "npm install -g opencode-ai",
		loginCommand: "opencode auth login",
		environment: () => ({
			// It listens on a port of this machine, and without a password every program here could run commands through it.
			OPENCODE_SERVER_PASSWORD: randomBytes(24).toString("base64url"),
			// By itself it runs and edits without asking. Its own shell is taken away: it has ours.
			OPENCODE_PERMISSION: JSON.stringify({ bash: "deny", edit: "ask", webfetch: "ask", external_directory: "ask" }),
		}),
		expected: { resume: true, steer: false, models: true, images: true, sharedShell: true },
	},
	{
		id: "gemini",
		name: "Gemini CLI",
		command: ["gemini", "--acp"],
		installCommand: "npm install -g @google/gemini-cli",
		loginCommand: "gemini",
		account: "Google",
		environment: () => ({ NO_BROWSER: "1" }),
		expected: { ...NOTHING, images: true },
	},
	{
		id: "qwen",
		name: "Qwen Code",
		command: ["qwen", "--acp"],
		installCommand: "npm install -g @qwen-code/qwen-code",
		loginCommand: "qwen",
		environment: () => ({ NO_BROWSER: "1" }),
		expected: { ...NOTHING, resume: true, models: true, images: true },
	},
	{
		id: "copilot-cli",
		name: "Copilot CLI",
		command: ["copilot", "--acp"],
		installCommand: "npm install -g @github/copilot",
		loginCommand: "copilot login",
		account: "GitHub Copilot",
		environment: () => ({}),
		expected: { ...NOTHING, resume: true, images: true, sharedShell: true },
	},
	{
		id: "kimi",
		name: "Kimi Code",
		command: ["kimi", "acp"],
		installCommand: "npm install -g @moonshot-ai/kimi-code",
		loginCommand: "kimi login",
		account: "Moonshot AI",
		environment: () => ({}),
		expected: { resume: true, steer: false, models: true, images: true, sharedShell: true },
	},
	{
		id: "cline",
		name: "Cline",
		command: ["cline", "--acp"],
		installCommand: "npm install -g cline",
		loginCommand: "cline auth",
		environment: () => ({}),
		expected: { ...NOTHING, resume: true },
	},
	{ id: "goose", name: "goose", command: ["goose", "acp"], loginCommand: "goose configure", environment: () => ({}), expected: NOTHING },
	{
		id: "cursor",
		name: "Cursor",
		command: ["cursor-agent", "acp"],
		loginCommand: "cursor-agent login",
		account: "Cursor",
		environment: () => ({}),
		expected: NOTHING,
	},
];

export const findKnownAgent = (id: string): KnownAgent | undefined => KNOWN_AGENTS.find((agent) => agent.id === id);
