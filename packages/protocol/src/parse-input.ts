export type ParsedInput = { kind: "empty" } | { kind: "shell"; command: string } | { kind: "prompt"; prompt: string };

/** What a person typed: `!cmd` is a shell command, `!` alone is nothing, everything else is a prompt, untouched. */
export function parseInput(text: string): ParsedInput {
	if (text.trim() === "") return { kind: "empty" };
	if (!text.trimStart().startsWith("!")) return { kind: "prompt", prompt: text };
	const command = text.trimStart().slice(1).trim();
	return command === "" ? { kind: "empty" } : { kind: "shell", command };
}
