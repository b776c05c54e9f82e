import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Message } from "@rightseat/protocol/model/message";
import type { ToolRecord } from "@rightseat/protocol/model/turn";

/** A conversation as a file, piece by piece, so that a long one does not have to fit in memory. */
export function* exportConversation(
	conversation: Conversation,
	messages: Iterable<Message>,
	format: "markdown" | "json",
): Generator<string> {
	if (format === "json") yield* asJson(conversation, messages);
	else yield* asMarkdown(conversation, messages);
}

function* asJson(conversation: Conversation, messages: Iterable<Message>): Generator<string> {
	yield `{"conversation":${JSON.stringify(conversation)},"messages":[`;
	let first = true;
	for (const message of messages) {
		yield (first ? "\n" : ",\n") + JSON.stringify(message);
		first = false;
	}
	yield "\n]}\n";
}

function* asMarkdown(conversation: Conversation, messages: Iterable<Message>): Generator<string> {
	yield `# ${conversation.title === "" ? "Conversation" : conversation.title}\n\n`;
	yield `Model: ${conversation.model} · Directory: ${conversation.cwd} · Begun: ${conversation.createdAt}\n`;
	for (const message of messages) yield message.role === "user" ? userMessage(message) : assistantMessage(message);
}

function userMessage(message: Extract<Message, { role: "user" }>): string {
	const body = message.metadata.bash === true ? fenced(message.content, "console") : message.content;
	const files = (message.metadata.attachments ?? []).map((file) => `\n- attached: ${file.name}`).join("");
	return `\n## ${message.metadata.bash === true ? "Command" : "You"} · ${message.createdAt}\n\n${body}${files}\n`;
}

function assistantMessage(message: Extract<Message, { role: "assistant" }>): string {
	const { outcome, tools, parts } = message.metadata;
	const byId = new Map(tools.map((tool) => [tool.toolCallId, tool]));
	const pieces = parts.flatMap((part) => {
		if (part.kind === "text") return [part.content];
		const tool = part.kind === "tool" ? byId.get(part.toolCallId) : undefined;
		return tool === undefined ? [] : [toolBlock(tool)];
	});
	const mark = outcome === "completed" ? "" : `\n\n_(${outcome})_`;
	return `\n## Agent · ${message.createdAt}\n\n${pieces.length === 0 ? message.content : pieces.join("\n\n")}${mark}\n`;
}

function toolBlock(tool: ToolRecord): string {
	const call = `${tool.toolName} ${JSON.stringify(tool.arguments)}`;
	const end = tool.success === true ? (tool.result ?? "") : `failed: ${tool.error ?? tool.result ?? ""}`;
	return fenced(`${call}\n${end}`, "text");
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
	const fence = "`".repeat(longest + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}
