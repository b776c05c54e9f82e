import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Message, UserMessage } from "@rightseat/protocol/model/message";
import type { RunningTurn, ToolRecord, TurnPart } from "@rightseat/protocol/model/turn";
import { escapeHtml } from "../kernel/escape-html.ts";
import type { WholeAnswer, WholeMessage } from "../ports/whole-message.ts";

/** In which language the words around what was said are. */
export type HtmlLanguage = "en" | "zh-Hant";

const WORDS = {
	en: {
		you: "You",
		agent: "Agent",
		command: "Command",
		attached: "attached",
		failed: "failed",
		running: "Answering now",
		untitled: "Conversation",
	},
	"zh-Hant": { you: "您", agent: "代理", command: "指令", attached: "附件", failed: "失敗", running: "正在回答", untitled: "對話" },
} as const;

/** What a page is made of. */
export interface HtmlPage {
	conversation: Pick<Conversation, "title" | "agent" | "model" | "createdAt">;
	messages: Iterable<WholeMessage>;
	language: HtmlLanguage;
	/** Takes our secrets out. */
	redact(text: string): string;
	/** The answer that is being written. */
	running?: RunningTurn | undefined;
	/** The browser asks again after so many seconds. */
	refreshSeconds?: number;
}

/** A conversation as one HTML file that needs nothing else: no script, no font, no picture from anywhere. In pieces of bounded size. */
export function* htmlOf(page: HtmlPage): Generator<string> {
	const { conversation, language, running } = page;
	const words = WORDS[language];
	const show = (text: string) => escapeHtml(page.redact(text));
	const title = show(conversation.title === "" ? words.untitled : conversation.title);
	const by = [conversation.agent, conversation.model, conversation.createdAt].filter((part) => part !== "").map(show);
	yield head(title, page);
	yield `<header><h1 dir="auto">${title}</h1><p>${by.join(" · ")}</p></header>\n<main>\n`;
	for (const { message, answer } of page.messages) {
		if (message.role === "user") yield userArticle(message, words, show);
		else {
			yield `<article><h2>${words.agent} <time>${message.createdAt}</time></h2>\n`;
			yield* answer === undefined ? shortParts(message.metadata, message.content, words, show) : longParts(answer, words, show);
			if (message.metadata.outcome !== "completed") yield `<p class="end">${message.metadata.outcome}</p>`;
			yield "</article>\n";
		}
	}
	if (running !== undefined) {
		yield `<article aria-busy="true"><h2>${words.agent} <small>${words.running}</small></h2>\n`;
		yield* shortParts(running, "", words, show);
		yield "</article>\n";
	}
	yield "</main></body></html>\n";
}

type Words = (typeof WORDS)[HtmlLanguage];
type Show = (text: string) => string;

function head(title: string, { language, refreshSeconds }: HtmlPage): string {
	const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
	const refresh = refreshSeconds === undefined ? "" : `<meta http-equiv="refresh" content="${refreshSeconds}">`;
	return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">${refresh}
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head><body>
`;
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.35rem;margin:0}header p,time,small{color:GrayText;font-size:.85rem;font-weight:400}h2{font-size:.95rem;margin:0 0 .25rem}
article{border-top:1px solid color-mix(in srgb,CanvasText 15%,transparent);padding:1rem 0}p{margin:.5rem 0;white-space:pre-wrap}.end{color:GrayText;font-style:italic}
pre{background:color-mix(in srgb,CanvasText 6%,transparent);border-radius:.5rem;padding:.75rem;overflow-x:auto;white-space:pre-wrap;font-size:.85rem}summary{cursor:pointer;font-family:ui-monospace,monospace;font-size:.85rem}`;

function userArticle(message: UserMessage, words: Words, show: Show): string {
	const { bash, attachments = [] } = message.metadata;
	const body = bash === true ? `<pre>${show(message.content)}</pre>` : prose(message.content, show);
	const files = attachments.map(({ name }) => `<p class="end">${words.attached}: ${show(name)}</p>`).join("");
	return `<article><h2>${bash === true ? words.command : words.you} <time>${message.createdAt}</time></h2>\n${body}${files}</article>\n`;
}

function* shortParts(
	of: { parts: readonly TurnPart[]; tools: readonly ToolRecord[] },
	content: string,
	words: Words,
	show: Show,
): Generator<string> {
	const tools = new Map(of.tools.map((tool) => [tool.toolCallId, tool]));
	if (of.parts.length === 0) yield prose(content, show);
	for (const part of of.parts) {
		if (part.kind === "text") yield prose(part.content, show);
		const tool = part.kind === "tool" ? tools.get(part.toolCallId) : undefined;
		if (tool !== undefined) yield toolOf(tool, words, show);
	}
}

function* longParts(answer: WholeAnswer, words: Words, show: Show): Generator<string> {
	for (const { part, text } of answer.parts) {
		if (part.kind === "text") {
			yield "<p>";
			for (const piece of text()) yield show(piece);
			yield "</p>";
		}
		const tool = part.kind === "tool" ? answer.findTool(part.toolCallId) : undefined;
		if (tool !== undefined) yield toolOf(tool, words, show);
	}
}

function toolOf(tool: ToolRecord, words: Words, show: Show): string {
	const end = tool.success === false ? `${words.failed}: ${tool.error ?? tool.result ?? ""}` : (tool.result ?? tool.output ?? "");
	const called = JSON.stringify(tool.arguments) ?? "";
	return `<details><summary>${show(tool.title ?? tool.toolName)}</summary><pre>${show(called)}</pre><pre>${show(end)}</pre></details>\n`;
}

/** What stands between fences is code; all else is shown as it was written. */
function prose(text: string, show: Show): string {
	return text
		.split(/^(?:```|~~~)[^\n]*\n?/m)
		.map((part, at) => (part === "" ? "" : at % 2 === 1 ? `<pre>${show(part)}</pre>` : `<p dir="auto">${show(part.trim())}</p>`))
		.join("");
}

/** Newest messages of a page that is asked for again and again. */
export const MAX_WATCHED_MESSAGES = 100;
export const MAX_WATCHED_BYTES = 1_048_576;

/** Stored messages as a page takes them. */
export const asWhole = (messages: readonly Message[]): WholeMessage[] => messages.map((message) => ({ message }));
