import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MORE_AGENTS } from "./more-agents.ts";
import type { RealAgent } from "./real-agent.ts";

export const REAL_AGENTS: readonly RealAgent[] = [
	{
		id: "opencode",
		name: "opencode",
		package: `opencode-${process.platform}-${process.arch}@1.18.33`,
		command: [`opencode-${process.platform}-${process.arch}/bin/opencode`, "acp"],
		isScript: false,
		env: (modelUrl) => ({
			OPENCODE_CONFIG_CONTENT: JSON.stringify({
				model: "scripted/scripted",
				small_model: "scripted/scripted",
				provider: {
					scripted: {
						npm: "@ai-sdk/openai-compatible",
						name: "Scripted",
						options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
						models: {
							scripted: {
								name: "Scripted",
								attachment: true,
								modalities: { input: ["text", "image"], output: ["text"] },
								limit: { context: 100_000, output: 10_000 },
							},
						},
					},
				},
			}),
			OPENCODE_DISABLE_MODELS_FETCH: "1",
			OPENCODE_DISABLE_AUTOUPDATE: "1",
			OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
			OPENCODE_DISABLE_SHARE: "1",
		}),
		write: { tool: "write", args: (filePath, content) => ({ filePath, content }) },
		seesOurTools: true,
	},
	{
		id: "claude",
		name: "Claude Code",
		package: "@agentclientprotocol/claude-agent-acp@0.99.1",
		command: ["@agentclientprotocol/claude-agent-acp/dist/index.js"],
		isScript: true,
		env: (modelUrl) => ({
			ANTHROPIC_BASE_URL: modelUrl,
			ANTHROPIC_API_KEY: "none",
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
			DISABLE_AUTOUPDATER: "1",
		}),
		write: { tool: "Write", args: (file_path, content) => ({ file_path, content }) },
		question: {
			tool: "AskUserQuestion",
			args: (question, answers) => ({
				questions: [{ question, header: "Choice", multiSelect: false, options: answers.map((label) => ({ label, description: label })) }],
			}),
		},
		seesOurTools: true,
	},
	{
		id: "codex",
		name: "Codex",
		package: "@agentclientprotocol/codex-acp@2.6.0",
		command: ["@agentclientprotocol/codex-acp/dist/index.js"],
		isScript: true,
		env(modelUrl, home) {
			mkdirSync(join(home, ".codex"), { recursive: true });
			const provider = [
				'name = "Scripted"',
				`base_url = "${modelUrl}/v1"`,
				'wire_api = "responses"',
				"request_max_retries = 1",
				"stream_max_retries = 1",
			];
			const lines = ['model = "gpt-5.5"', 'model_provider = "scripted"', "", "[model_providers.scripted]", ...provider, ""];
			writeFileSync(join(home, ".codex", "config.toml"), lines.join("\n"));
			return { CODEX_HOME: join(home, ".codex"), MODEL_PROVIDER: "scripted", NO_BROWSER: "1" };
		},
		// A tool that takes a text instead of arguments.
		write: {
			tool: "apply_patch",
			args: (path, text) => ({ input: ["*** Begin Patch", `*** Add File: ${path}`, `+${text}`, "*** End Patch", ""].join("\n") }),
		},
		seesOurTools: true,
	},
	{
		id: "gemini",
		name: "Gemini CLI",
		package: "@google/gemini-cli@0.61.0",
		command: ["@google/gemini-cli/bundle/gemini.js", "--acp", "-m", "gemini-2.5-flash"],
		isScript: true,
		env: (modelUrl) => ({ GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true" }),
		write: { tool: "write_file", args: (file_path, content) => ({ file_path, content }) },
		shell: { tool: "run_shell_command", args: (command) => ({ command }) },
		seesOurTools: true,
	},
	...MORE_AGENTS,
];
