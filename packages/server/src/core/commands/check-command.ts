import { MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import { AppError } from "../kernel/errors.ts";

/** Throws when no shell is to be asked at all: the same for a command in a conversation and outside of any. */
export function checkCommand(command: string): void {
	if (command.trim() === "") throw new AppError("bad-request", "The command is empty.", { params: { reason: "empty-command" } });
	if (command.length > MAX_PROMPT_CHARS) {
		throw new AppError(
			"too-large",
			`This command has ${command.length} characters; at most ${MAX_PROMPT_CHARS} fit. Put it into a file and run that.`,
			{ params: { reason: "command", chars: command.length, max: MAX_PROMPT_CHARS } },
		);
	}
}
