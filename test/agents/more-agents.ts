import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealAgent } from "./real-agent.ts";

/** Agents that were tried after the first four. */
export const MORE_AGENTS: readonly RealAgent[] = [
	{
		id: "qwen",
		name: "Qwen Code",
		package: "@qwen-code/qwen-code@0.24.4",
		command: ["@qwen-code/qwen-code/cli-entry.js", "--acp"],
		isScript: true,
		needsNode22: true,
		// A model that it knows to see pictures; from others it keeps them.
		env: (modelUrl) => ({ OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: "gpt-4o" }),
		write: { tool: "write_file", args: (file_path, content) => ({ file_path, content }) },
		// A command that only sleeps is refused by it.
		shell: { tool: "run_shell_command", args: (command) => ({ command: `echo begun; ${command}` }) },
		seesOurTools: false,
	},
	{
		id: "copilot-cli",
		name: "Copilot CLI",
		package: "@github/copilot@1.0.102",
		command: ["@github/copilot/npm-loader.js", "--acp"],
		isScript: true,
		env: (modelUrl) => ({
			COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
			COPILOT_PROVIDER_API_KEY: "none",
			COPILOT_OFFLINE: "true",
			COPILOT_MODEL: "scripted",
		}),
		write: { tool: "create", args: (path, file_text) => ({ path, file_text }) },
		shell: { tool: "bash", args: (command) => ({ command, description: "A command", mode: "sync" }) },
		seesOurTools: true,
	},
	{
		id: "kimi",
		name: "Kimi Code",
		package: "@moonshot-ai/kimi-code@2.1.0",
		command: ["@moonshot-ai/kimi-code/dist/main.mjs", "acp"],
		isScript: true,
		needsNode22: true,
		env: (modelUrl) => ({
			KIMI_MODEL_NAME: "scripted",
			KIMI_MODEL_BASE_URL: `${modelUrl}/v1`,
			KIMI_MODEL_API_KEY: "none",
			KIMI_MODEL_PROVIDER_TYPE: "openai",
			KIMI_MODEL_MAX_CONTEXT_SIZE: "100000",
			KIMI_CODE_NO_AUTO_UPDATE: "1",
		}),
		write: { tool: "Write", args: (path, content) => ({ path, content }) },
		shell: { tool: "Bash", args: (command) => ({ command }) },
		question: {
			tool: "AskUserQuestion",
			args: (question, answers) => ({ questions: [{ question, header: "Choice", options: answers.map((label) => ({ label })) }] }),
		},
		plan: { tool: "TodoList", args: (steps) => ({ todos: steps.map((title) => ({ title, status: "pending" })) }) },
		seesOurTools: true,
	},
	{
		id: "cline",
		name: "Cline",
		package: "cline@3.0.65",
		command: [`@cline/cli-${process.platform}-${process.arch}/bin/cline`, "--acp"],
		isScript: false,
		env(modelUrl, home) {
			const folder = join(home, ".cline", "data", "settings");
			mkdirSync(folder, { recursive: true });
			const settings = { provider: "openai-compatible", apiKey: "none", model: "gpt-4o", baseUrl: `${modelUrl}/v1` };
			const provider = { settings, updatedAt: new Date(0).toISOString(), tokenSource: "manual" };
			const file = { version: 1, lastUsedProvider: "openai-compatible", modes: {}, providers: { "openai-compatible": provider } };
			writeFileSync(join(folder, "providers.json"), JSON.stringify(file));
			return { CLINE_API_KEY: "none", CLINE_PROVIDER: "openai-compatible", CLINE_MODEL: "gpt-4o", CLINE_NO_AUTO_UPDATE: "1" };
		},
		write: {
			tool: "apply_patch",
			args: (path, text) => ({ input: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch` }),
		},
		shell: { tool: "run_commands", args: (command) => ({ commands: [command] }) },
		// It keeps pictures from models that it does not know, and what it calls models are providers, which the bed has fixed.
		leaveOut: ["a picture", "its models"],
		seesOurTools: false,
	},
];
