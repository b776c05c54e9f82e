import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Message } from "@rightseat/protocol/model/message";
import type { PlanEntry, ToolDiff, ToolRecord, TurnPart } from "@rightseat/protocol/model/turn";
import { COPILOT_AGENT } from "../ports/agents.ts";
import type { WholeAnswer, WholeMessage } from "../ports/whole-message.ts";
import { messageJson } from "./message-json.ts";

/** The forms of a file that a conversation can become. */
export type ExportFormat = "markdown" | "json" | "html";

/** A conversation as a file, in pieces of bounded size: neither a long conversation nor a long answer has to fit in memory. */
export function* exportConversation(
	conversation: Conversation,
	messages: Iterable<WholeMessage>,
	format: "markdown" | "json",
): Generator<string> {
	if (format === "json") yield* asJson(conversation, messages);
	else yield* asMarkdown(conversation, messages);
}

function* asJson(conversation: Conversation, messages: Iterable<WholeMessage>): Generator<string> {
	yield `{"conversation":${JSON.stringify(conversation)},"messages":[`;
	let before = "\n";
	for (const message of messages) {
		yield before;
		yield* messageJson(message);
		before = ",\n";
	}
	yield "\n]}\n";
}

function* asMarkdown(conversation: Conversation, messages: Iterable<WholeMessage>): Generator<string> {
	yield `# ${conversation.title === "" ? "Conversation" : conversation.title}\n\n`;
	const { agent, model } = conversation;
	const by = [...(agent === COPILOT_AGENT ? [] : [`Agent: ${agent}`]), ...(model === "" ? [] : [`Model: ${model}`])];
	yield `${[...by, `Directory: ${conversation.cwd}`, `Begun: ${conversation.createdAt}`].join(" · ")}\n`;
	for (const { message, answer } of messages) {
		if (message.role === "user") yield userMessage(message);
		else yield* assistantMessage(message, answer);
	}
}

function userMessage(message: Extract<Message, { role: "user" }>): string {
	const body = message.metadata.bash === true ? fenced(message.content, "console") : message.content;
	const files = (message.metadata.attachments ?? []).map((file) => `\n- attached: ${file.name}`).join("");
	return `\n## ${message.metadata.bash === true ? "Command" : "You"} · ${message.createdAt}\n\n${body}${files}\n`;
}

function* assistantMessage(message: Extract<Message, { role: "assistant" }>, answer: WholeAnswer | undefined): Generator<string> {
	const { outcome, tools, parts } = message.metadata;
	yield `\n## Agent · ${message.createdAt}\n\n`;
	const blocks = answer === undefined ? shortBlocks(parts, tools) : longBlocks(answer);
	let before = "";
	for (const block of blocks) {
		yield before;
		yield* block;
		before = "\n\n";
	}
	if (before === "") yield message.content;
	const { plan, notices = [] } = answer?.metadata ?? message.metadata;
	if (plan !== undefined) yield `\n\nPlan:\n\n${plan.map(planLine).join("\n")}`;
	for (const notice of notices) yield `\n\n_${notice.message}_`;
	yield `${outcome === "completed" ? "" : `\n\n_(${outcome})_`}\n`;
}

function* shortBlocks(parts: readonly TurnPart[], tools: readonly ToolRecord[]): Generator<Iterable<string>> {
	const byId = new Map(tools.map((tool) => [tool.toolCallId, tool]));
	for (const part of parts) {
		if (part.kind === "text") yield [part.content];
		const tool = part.kind === "tool" ? byId.get(part.toolCallId) : undefined;
		if (tool !== undefined) yield [toolBlock(tool)];
	}
}

function* longBlocks(answer: WholeAnswer): Generator<Iterable<string>> {
	for (const { part, text } of answer.parts) {
		if (part.kind === "text") yield text();
		const tool = part.kind === "tool" ? answer.findTool(part.toolCallId) : undefined;
		if (tool !== undefined) yield [toolBlock(tool)];
	}
}

function toolBlock(tool: ToolRecord): string {
	const call = `${tool.toolName} ${JSON.stringify(tool.arguments)}`;
	const end = tool.success === true ? (tool.result ?? "") : `failed: ${tool.error ?? tool.result ?? ""}`;
	const block = fenced(`${call}\n${end}`, "text");
	return [block, ...(tool.diffs ?? []).map((diff) => fenced(diffLines(diff), "diff"))].join("\n\n");
}

/** A change as the agent shows it: what goes, then what comes. */
function diffLines({ path, oldText, newText }: ToolDiff): string {
	const head = oldText === undefined ? [`+++ ${path} (new)`] : [`--- ${path}`, `+++ ${path}`];
	return [...head, ...marked("-", oldText ?? ""), ...marked("+", newText)].join("\n");
}
const marked = (mark: string, text: string) => (text === "" ? [] : text.split("\n").map((line) => mark + line));

function planLine({ content, status }: PlanEntry): string {
	return `- [${status === "completed" ? "x" : " "}] ${content.replace(/\s+/g, " ")}${status === "in_progress" ? " _(in progress)_" : ""}`;
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
	let longest = 2;
	for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
	const fence = "`".repeat(longest + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}
