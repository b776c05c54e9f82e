/** What was typed: nothing, a shell command, or a prompt. */
export type ParsedInput = { kind: "empty" } | { kind: "shell"; command: string } | { kind: "prompt"; prompt: string };

// A Chinese keyboard writes the full-width mark; both mean the same everywhere.
const SHELL_MARK = /^\s*[!！]/;

/** What a person typed: `!cmd` is a shell command, `!` alone is nothing, everything else is a prompt, untouched. */
export function parseInput(text: string): ParsedInput {
	if (text.trim() === "") return { kind: "empty" };
	if (!isShellLine(text)) return { kind: "prompt", prompt: text };
	const command = text.replace(SHELL_MARK, "").trim();
	return command === "" ? { kind: "empty" } : { kind: "shell", command };
}

/** Whether a line is for the shell, from its first mark on. */
export const isShellLine = (text: string) => SHELL_MARK.test(text);
