import { fieldOf } from "@rightseat/protocol/model/field";
import type { UserMessage } from "@rightseat/protocol/model/message";
import type { PlanEntry, ToolDiff, ToolRecord, TurnAsk, TurnError, TurnPart } from "@rightseat/protocol/model/turn";
import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import type { WholeAnswer } from "../ports/whole-message.ts";
import type { HtmlLanguage, HtmlWords } from "./html-words.ts";
import { textBlocks } from "./text-blocks.ts";

/** What every part of a page is written with. */
export interface HtmlPen {
	words: HtmlWords;
	language: HtmlLanguage;
	/** Without our secrets, as text in HTML. */
	show(text: string): string;
	/** Text that comes in pieces, without our secrets. */
	redacted(pieces: Iterable<string>): Iterable<string>;
	/** Markdown as HTML that can do nothing. */
	markdown(text: string): string;
}

/** What an answer, or a turn that runs, consists of; `text` reads a part. */
export interface HtmlAnswer {
	parts: readonly { part: TurnPart; text(): Iterable<string> }[];
	findTool(toolCallId: string): ToolRecord | undefined;
	asks?: readonly TurnAsk[] | undefined;
	plan?: readonly PlanEntry[] | undefined;
}

/** Texts, calls and what was asked, in the order in which people saw them; the plan comes last. */
export function* answerParts(answer: HtmlAnswer, pen: HtmlPen): Generator<string> {
	const asks = [...(answer.asks ?? [])];
	let count = 0;
	for (const { part, text } of answer.parts) {
		while (asks[0] !== undefined && asks[0].afterParts <= count) yield askNote(asks.shift(), pen);
		count += 1;
		if (part.kind === "text") yield* markdownText(text(), pen);
		const tool = part.kind === "tool" ? answer.findTool(part.toolCallId) : undefined;
		if (tool !== undefined) yield* toolDetails(tool, pen);
	}
	for (const ask of asks) yield askNote(ask, pen);
	if (answer.plan !== undefined && answer.plan.length > 0) yield planList(answer.plan, pen);
}

export const partsOf = (of: { parts: readonly TurnPart[]; tools: readonly ToolRecord[] }): Pick<HtmlAnswer, "parts" | "findTool"> => {
	const tools = new Map(of.tools.map((tool) => [tool.toolCallId, tool]));
	return {
		parts: of.parts.map((part) => ({ part, text: () => ("content" in part ? [part.content] : []) })),
		findTool: (id) => tools.get(id),
	};
};

export const wholeParts = ({ parts, findTool }: WholeAnswer): Pick<HtmlAnswer, "parts" | "findTool"> => ({ parts, findTool });

export function* markdownText(pieces: Iterable<string>, pen: HtmlPen): Generator<string> {
	for (const block of textBlocks(pen.redacted(pieces))) yield pen.markdown(block);
}

/** A command that a person ran: its text is `$ command`, the output and `[exit code: n]`. */
export function* commandDetails({ content, metadata }: UserMessage, { words, show }: HtmlPen): Generator<string> {
	const text = content.replace(/^\[Bash executed by user\]\n/, "");
	const command = metadata.command ?? /^\$ (.*)/.exec(text)?.[1] ?? "";
	const head = `$ ${command}\n`;
	const output = (text.startsWith(head) ? text.slice(head.length) : text).replace(/\n?\[exit code: [^\]\n]{0,40}\]\s*$/, "");
	const { exitCode } = metadata;
	const end = typeof exitCode === "number" ? words.exit(exitCode) : words.noExit;
	yield `<details open><summary><code>$ ${show(command)}</code> <small${exitCode === 0 ? "" : ' class="bad"'}>${end}</small></summary>`;
	yield output.trim() === "" ? `<p class="label">${words.noOutput}</p>` : `<pre>${show(output)}</pre>`;
	yield "</details>\n";
}

function* toolDetails(tool: ToolRecord, { words, show }: HtmlPen): Generator<string> {
	const state =
		tool.success === undefined
			? ` <small>${words.toolRuns}</small>`
			: tool.success
				? ""
				: ` <small class="bad">${words.toolFailed}</small>`;
	const about = tool.title ?? `${tool.toolName} ${aboutOf(tool.arguments)}`.trim();
	yield `<details><summary><code>${show(about)}</code>${state}</summary>`;
	const called = formatArguments(tool.arguments);
	if (called !== "") yield `<p class="label">${words.calledWith}</p><pre>${show(called)}</pre>`;
	for (const diff of tool.diffs ?? []) yield `<pre>${show(diffText(diff))}</pre>`;
	const end = tool.success === false ? (tool.error ?? tool.result ?? "") : (tool.result ?? tool.output ?? "");
	if (end !== "") yield `<p class="label">${words.result}</p><pre>${show(end)}</pre>`;
	yield "</details>\n";
}

const MAX_ABOUT_CHARS = 160;

/** What a call is about, in one line. */
function aboutOf(input: unknown): string {
	for (const name of ["command", "path", "file_path", "pattern", "query", "url", "description", "question", "name"]) {
		const value = fieldOf(input, name);
		if (typeof value !== "string" || value === "") continue;
		const line = value.slice(0, 4 * MAX_ABOUT_CHARS).replace(/\s+/g, " ");
		return line.length > MAX_ABOUT_CHARS ? `${line.slice(0, MAX_ABOUT_CHARS)}…` : line;
	}
	return "";
}

/** One line per field, long text as it is. */
function formatArguments(input: unknown): string {
	if (typeof input === "string") return input;
	if (typeof input !== "object" || input === null) return input === undefined ? "" : JSON.stringify(input);
	return Object.entries(input)
		.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value, null, 2)}`)
		.join("\n");
}

function diffText({ path, oldText, newText }: ToolDiff): string {
	const marked = (mark: string, text: string) => (text === "" ? [] : text.split("\n").map((line) => mark + line));
	return [...(oldText === undefined ? [] : [`--- ${path}`]), `+++ ${path}`, ...marked("-", oldText ?? ""), ...marked("+", newText)].join(
		"\n",
	);
}

function askNote(ask: TurnAsk | undefined, { words, show }: HtmlPen): string {
	if (ask === undefined) return "";
	const asked = ask.reached === undefined ? ask.text : words.limit(ask.reached.used, ask.reached.limit);
	return `<p class="note">${words.asked[ask.kind]}: <span class="plain">${show(asked)}</span><br><strong>${show(endOf(ask, words))}</strong></p>\n`;
}

function endOf({ outcome, answer = "", by, kind }: TurnAsk, words: HtmlWords): string {
	if (outcome === undefined) return words.waits;
	if (outcome === "expired" && kind !== "budget") return words.expired;
	if (outcome === "aborted") return words.withdrawn;
	const given = kind === "question" ? answer : (words.decided[answer] ?? answer);
	const said = given === "" ? words.emptyAnswer : given;
	return by === "telegram" ? words.answeredIn("Telegram", said) : words.answered(said);
}

function planList(plan: readonly PlanEntry[], { words, show }: HtmlPen): string {
	const marks = { completed: "☑", in_progress: "▸", pending: "☐" };
	const items = plan.map(({ content, status }) => `<br>${marks[status]} ${show(content)}`).join("");
	return `<p class="note"><strong>${words.plan}</strong>${items}</p>\n`;
}

/** Why an answer failed, in the reader's language. */
export const errorText = (error: TurnError, { language }: HtmlPen): string => sayCoded(error, language, errorSentences);
