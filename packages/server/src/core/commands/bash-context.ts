import { MAX_BASH_CONTEXT_CHARS } from "@rightseat/protocol/limits";
import type { ContextItem } from "@rightseat/protocol/model/command";
import type { Message, UserMessage } from "@rightseat/protocol/model/message";
import { cutText } from "@rightseat/protocol/text";

/** Of a command whose output does not go along, so much is named; of one in a list as well. */
const MAX_NAMED_CHARS = 200;

/** A `!cmd` result as it is stored: output cut after 10,000 characters. */
export function formatBashResult(command: string, output: string, exitCode: number | null): string {
	return `$ ${command}\n${cutOutput(output, MAX_BASH_CONTEXT_CHARS)}\n[exit code: ${exitCode ?? "unknown"}]`;
}

function cutOutput(output: string, maxChars: number): string {
	if (output.length <= maxChars) return output;
	return `${cutText(output, maxChars)}\n...[truncated]`;
}

/** Every pending result as the model gets it, before what the person typed. */
export function toldResults(contexts: string[]): string[] {
	return contexts.map((context) => `[Bash executed by user]\n${context}`);
}

/** What one stored result contributes, after the person's trimming or ours. */
export function contextOf(message: Message): string {
	if (message.role !== "user" || message.metadata.contextMaxChars === undefined) return message.content;
	const { command = "", exitCode = null, contextMaxChars } = message.metadata;
	const tail = `\n[exit code: ${exitCode ?? "unknown"}]`;
	// Only named: a command may be as long as any output.
	if (contextMaxChars === 0) return `$ ${named(command)}\n...[truncated]${tail}`;
	const head = `$ ${command}\n`;
	const output = message.content.slice(head.length, message.content.length - tail.length);
	return head + cutOutput(output, contextMaxChars) + tail;
}

/** Results that gave way to newer ones before this one, so that the model knows of the gap. */
export function leftOutBefore({ metadata }: UserMessage): string[] {
	const count = metadata.contextLeftOut ?? 0;
	return count === 0 ? [] : [`[${count === 1 ? "1 earlier result is" : `${count} earlier results are`} left out here]`];
}

/** A pending result as readers see it: its command named, its output only counted. */
export function toContextItem(message: Message): ContextItem {
	const metadata = message.role === "user" ? message.metadata : undefined;
	return {
		messageId: message.id,
		command: named(metadata?.command ?? ""),
		exitCode: metadata?.exitCode ?? null,
		chars: contextOf(message).length,
	};
}

function named(command: string): string {
	return command.length <= MAX_NAMED_CHARS ? command : `${cutText(command, MAX_NAMED_CHARS)}…`;
}
