/** What one agent does differently from the others, measured with the real program. An agent that is not listed has none. */
export interface Quirks {
	/** Modes in which it asks a person, the best first; set before the first prompt and after every resume. */
	askModes: readonly string[];
	/** Modes in which it, or a model behind it, decides by itself, where their names do not say so. */
	aloneModes?: readonly string[];
	/** What its answer to a prompt says about tokens: those of the turn, of its last model call, or of the whole session. */
	usage: "turn" | "last-call" | "session";
	/** How it gives an error of its model as an answer. */
	errorText?: "untagged" | "prefix";
	/** It takes every prompt that begins with `/` for a command, and swallows the unknown ones. */
	swallowsSlash?: boolean;
	/** `_meta` of `session/new`, `load` and `resume`. */
	sessionMeta?(ourTools: readonly string[]): Record<string, unknown>;
	/** Asks its questions as a permission request whose input holds them. */
	asksByPermission?: boolean;
	/** The id of a call begins with the name of its tool. */
	nameInId?: boolean;
}

/** Agents that say nothing of their own: these names of modes mean that a person is asked. */
const ASK_MODES = ["default", "ask", "approve", "manual"];

const NONE: Quirks = { askModes: ASK_MODES, usage: "turn" };

const QUIRKS: Readonly<Record<string, Quirks>> = {
	opencode: { ...NONE, askModes: [], usage: "last-call", swallowsSlash: true },
	claude: {
		...NONE,
		askModes: ["default"],
		// It has our shell instead of its own, and guessing the next prompt costs a model call after every turn.
		sessionMeta: (ourTools) => ({
			claudeCode: {
				options: {
					promptSuggestions: false,
					...(ourTools.includes("Bash") ? { disallowedTools: ["Bash", "BashOutput", "KillShell"] } : {}),
				},
			},
		}),
	},
	// In its own mode a second model decides; with `workspace-write` edits in the folder are not asked for.
	codex: { ...NONE, askModes: ["read-only"], aloneModes: ["agent"], errorText: "untagged" },
	gemini: { ...NONE, askModes: ["default"], nameInId: true },
	qwen: { ...NONE, askModes: ["default"], asksByPermission: true },
	"copilot-cli": { ...NONE, askModes: [], usage: "session", errorText: "prefix" },
};

const PROGRAMS: Readonly<Record<string, string>> = {
	opencode: "opencode",
	"claude-agent-acp": "claude",
	"claude-code-acp": "claude",
	"codex-acp": "codex",
	gemini: "gemini",
	qwen: "qwen",
	copilot: "copilot-cli",
};

/** By the agent's id, or by the name of its program when a person has given it an id of their own. */
export function quirksOf({ id, command }: { id: string; command: readonly string[] }): Quirks {
	const program = command[0]?.split("/").at(-1) ?? "";
	return QUIRKS[id] ?? QUIRKS[PROGRAMS[program] ?? ""] ?? NONE;
}
