import type { Redactor } from "../kernel/redact.ts";
import type { SessionCommands, TypedCommand } from "../ports/agent-commands.ts";
import type { TurnInput } from "../ports/agent-runtime.ts";

/** An input that may be a command of the agent: with its session open it is known what the model gets for it. */
export interface TypedInput extends TurnInput {
	/** `before`: what the model gets before the prompt. */
	command?: TypedCommand & { before: string };
}

/** `/name` and what follows, if a prompt has that form; whether there is such a command, only the session knows. A path is none. */
export function readCommand(prompt: string): TypedCommand | undefined {
	const match = /^\/([a-z0-9][\w.:-]{0,99})(?:\s+([\s\S]*))?$/i.exec(prompt);
	return match?.[1] === undefined ? undefined : { name: match[1], input: (match[2] ?? "").trim() };
}

/** What the agent gets: the words of the command where the prompt is one, else what was typed. Rejects when the agent does not say. */
export async function expandCommand(
	session: Pick<SessionCommands, "expand">,
	{ command, ...input }: TypedInput,
	redactor: Pick<Redactor, "text">,
): Promise<TurnInput> {
	const words = command && (await session.expand?.({ name: command.name, input: command.input }));
	if (command === undefined || words === undefined) return input;
	return {
		...input,
		prompt: redactor.text(
			[command.before, words]
				.filter((part) => part !== "")
				.join("\n\n")
				.toWellFormed(),
		),
	};
}
