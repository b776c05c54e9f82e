import { parseInput } from "@rightseat/protocol/parse-input";
import { parseSlashCommand } from "../../commands/slash-commands.ts";

/** What the text of the message box means. */
export type Input =
	/** `!command`: the model never sees this line itself. */
	| { kind: "shell"; command: string }
	| { kind: "prompt"; prompt: string }
	/** `/name` of a command of the page. */
	| { kind: "command"; name: string; argument: string }
	| { kind: "needs-argument"; name: string }
	| { kind: "nothing" };

/** Reads the message box: a line for the shell, for the page, or a prompt. Files alone are a prompt, too. */
export function readInput(text: string, { attachments }: { attachments: number }): Input {
	const parsed = parseInput(text);
	if (parsed.kind === "shell") return parsed;
	if (parsed.kind === "empty") return attachments > 0 && text.trim() === "" ? { kind: "prompt", prompt: "" } : { kind: "nothing" };
	const command = parseSlashCommand(parsed.prompt);
	if (command === undefined) return parsed;
	return command.kind === "run" ? { ...command, kind: "command" } : command;
}
