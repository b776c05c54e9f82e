import type { ContextItem, Message } from "@rightseat/protocol/entities";
import { MAX_BASH_CONTEXT_CHARS } from "@rightseat/protocol/limits";

/** A `!cmd` result as it is stored: output cut after 10,000 characters (seed 000). */
export function formatBashResult(command: string, output: string, exitCode: number | null): string {
	return `$ ${command}\n${cutOutput(output, MAX_BASH_CONTEXT_CHARS)}\n[exit code: ${exitCode ?? "unknown"}]`;
}

export function cutOutput(output: string, maxChars: number): string {
	if (output.length <= maxChars) return output;
	return `${output.slice(0, maxChars).toWellFormed()}\n...[truncated]`;
}

/** The prompt that the model gets: every pending result, then what the person typed. */
export function withBashContext(contexts: string[], prompt: string): string {
	return [...contexts.map((context) => `[Bash executed by user]\n${context}`), prompt].join("\n\n");
}

/** What one stored result contributes, after the person's trimming. */
export function contextOf(message: Message): string {
	if (message.role !== "user" || message.metadata.contextMaxChars === undefined) return message.content;
	const { command = "", exitCode = null, contextMaxChars } = message.metadata;
	const head = `$ ${command}\n`;
	const tail = `\n[exit code: ${exitCode ?? "unknown"}]`;
	const output = message.content.slice(head.length, message.content.length - tail.length);
	return head + cutOutput(output, contextMaxChars) + tail;
}

export function toContextItem(message: Message): ContextItem {
	const metadata = message.role === "user" ? message.metadata : undefined;
	return {
		messageId: message.id,
		command: metadata?.command ?? "",
		exitCode: metadata?.exitCode ?? null,
		chars: contextOf(message).length,
	};
}
