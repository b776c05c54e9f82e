import { parseInput } from "@rightseat/protocol/parse-input";
import { parseSlashCommand } from "../../commands/slash-commands.ts";

export interface InputHandlers {
	/** Runs `!command` in the shell; the model never sees this line itself. */
	handleBashSend(command: string): void;
	handleSend(prompt: string, mode: "enqueue" | "immediate"): void;
	handleCommand(name: string, argument: string): void;
}

export type SubmitResult = "sent" | "ignored" | "needs-argument";

/** Routes one line of the message box to the shell, the page or the model. */
export function submitInput(
	input: { text: string; mode: "enqueue" | "immediate"; attachments: number },
	handlers: InputHandlers,
): SubmitResult {
	const parsed = parseInput(input.text);
	if (parsed.kind === "shell") {
		handlers.handleBashSend(parsed.command);
		return "sent";
	}
	if (parsed.kind === "empty") {
		if (input.attachments === 0 || input.text.trim() !== "") return "ignored";
		handlers.handleSend("", input.mode);
		return "sent";
	}
	const command = parseSlashCommand(parsed.prompt);
	if (command?.kind === "needs-argument") return "needs-argument";
	if (command !== undefined) handlers.handleCommand(command.name, command.argument);
	else handlers.handleSend(parsed.prompt, input.mode);
	return "sent";
}
