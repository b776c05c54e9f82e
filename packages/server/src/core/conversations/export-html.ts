import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { AssistantMessage, Attachment, Message, UserMessage } from "@rightseat/protocol/model/message";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import { escapeHtml } from "../kernel/escape-html.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { WholeAnswer, WholeMessage } from "../ports/whole-message.ts";
import { answerParts, commandDetails, errorText, type HtmlPen, markdownText, partsOf, wholeParts } from "./html-parts.ts";
import { HTML_STYLE } from "./html-style.ts";
import { createHtmlTime, type HtmlTime } from "./html-time.ts";
import { HTML_WORDS, type HtmlLanguage } from "./html-words.ts";

/** How a page speaks to its reader. */
export interface HtmlManner {
	language: HtmlLanguage;
	/** Markdown as HTML that can do nothing; without it text is shown as it was written. */
	markdown?: ((text: string) => string) | undefined;
	/** An attached picture as an address that holds it; undefined: it is named only. */
	picture?: ((attachment: Attachment) => Promise<string | undefined>) | undefined;
}

/** A piece of a page; what has to be read from the disk first is awaited. */
export type HtmlPiece = string | Promise<string>;

/** What a page is made of. */
export interface HtmlPage extends HtmlManner {
	conversation: Pick<Conversation, "title" | "model" | "createdAt">;
	/** What people call the agent. */
	agentName: string;
	messages: Iterable<WholeMessage>;
	/** Takes our secrets out. */
	redactor: Pick<Redactor, "text" | "stream">;
	now: number;
	/** The server's own without it. */
	timeZone?: string | undefined;
	/** A page that is asked for again and again: the answer that is being written, and when the browser asks again. */
	live?: { running: RunningTurn | undefined; refreshSeconds: number; isCut: boolean };
}

/** A conversation as one HTML file that needs nothing else: no script, no font, no picture from anywhere. In pieces of bounded size. */
export function* htmlOf(page: HtmlPage): Generator<HtmlPiece> {
	const { conversation, language, live } = page;
	const pen = penOf(page);
	const { words, show } = pen;
	const time = createHtmlTime(language, page.timeZone);
	const title = show(conversation.title === "" ? words.untitled : conversation.title);
	yield head(title, page);
	const by = [show(page.agentName), show(conversation.model), time.tag(conversation.createdAt)].filter((part) => part !== "");
	yield `<header><h1 dir="auto">${title}</h1><p>${by.join(" · ")}</p>`;
	yield live === undefined ? "" : `<p class="live">${words.live}${live.isCut ? ` ${words.newest(MAX_WATCHED_MESSAGES)}` : ""}</p>`;
	yield "</header>\n<main>\n";
	for (const { message, answer } of page.messages) {
		if (message.role === "user") yield* userArticle(message, { pen, time, picture: page.picture });
		else yield* agentArticle(message, { answer, pen, time, name: page.agentName });
	}
	if (live?.running !== undefined) yield* runningArticle(live.running, pen, page.agentName);
	const saved = time.tag(new Date(page.now).toISOString());
	yield `</main>\n<footer><p>${words.saved(saved)} · ${words.times(show(time.zone))}</p></footer></body></html>\n`;
}

function penOf({ language, redactor, markdown }: HtmlPage): HtmlPen {
	const show = (text: string) => escapeHtml(redactor.text(text));
	return {
		words: HTML_WORDS[language],
		language,
		show,
		*redacted(pieces) {
			const stream = redactor.stream();
			for (const piece of pieces) yield stream.take(piece);
			yield stream.rest();
		},
		markdown: markdown ?? ((text) => `<p class="plain" dir="auto">${escapeHtml(text)}</p>`),
	};
}

function head(title: string, { language, live }: HtmlPage): string {
	const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
	const refresh = live === undefined ? "" : `<meta http-equiv="refresh" content="${live.refreshSeconds}">`;
	return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">${refresh}
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${HTML_STYLE}</style></head><body>
`;
}

function* userArticle(message: UserMessage, at: { pen: HtmlPen; time: HtmlTime; picture: HtmlPage["picture"] }): Generator<HtmlPiece> {
	const { pen, time } = at;
	const { words, show } = pen;
	const { bash, attachments = [] } = message.metadata;
	yield `<article${bash === true ? "" : ' class="person"'}><h2>${bash === true ? words.command : words.person} ${time.tag(message.createdAt)}</h2>\n`;
	if (bash === true) yield* commandDetails(message, pen);
	else yield `<p class="plain" dir="auto">${show(message.content)}</p>`;
	for (const attachment of attachments) {
		const named = `<p class="note">${words.attached}: ${show(attachment.name)}</p>`;
		const figure = (source: string) =>
			`<figure><img src="${source}" alt="${show(attachment.name)}"><figcaption>${show(attachment.name)}</figcaption></figure>`;
		yield at.picture?.(attachment).then((source) => (source === undefined ? named : figure(source))) ?? named;
	}
	yield "</article>\n";
}

function* agentArticle(
	message: AssistantMessage,
	at: { answer: WholeAnswer | undefined; pen: HtmlPen; time: HtmlTime; name: string },
): Generator<string> {
	const { answer, pen } = at;
	const { words, show, language } = pen;
	yield `<article><h2>${show(at.name)} ${at.time.tag(message.createdAt)}</h2>\n`;
	const { asks, plan, notices = [], changes, error, outcome } = answer?.metadata ?? message.metadata;
	const parts = answer === undefined ? partsOf(message.metadata) : wholeParts(answer);
	if (parts.parts.length === 0) yield* markdownText(answer?.content() ?? [message.content], pen);
	yield* answerParts({ ...parts, asks, plan }, pen);
	if (changes !== undefined) yield `<p class="note">${words.changed(changes.files, changes.added, changes.removed)}</p>`;
	for (const notice of notices) yield `<p class="note">${show(sayCoded(notice, language, errorSentences))}</p>`;
	if (outcome !== "completed") {
		const why = error === undefined ? "" : ` ${show(errorText(error, pen))}`;
		yield `<p class="note${outcome === "error" ? " bad" : ""}"><strong>${words.outcome[outcome]}</strong>${why}</p>`;
	}
	yield "</article>\n";
}

function* runningArticle(running: RunningTurn, pen: HtmlPen, name: string): Generator<string> {
	yield `<article aria-busy="true"><h2>${pen.show(name)} <small>${pen.words.running} …</small></h2>\n`;
	yield* answerParts({ ...partsOf(running), asks: running.asks, plan: running.plan }, pen);
	yield "</article>\n";
}

/** Newest messages of a page that is asked for again and again. */
export const MAX_WATCHED_MESSAGES = 100;
export const MAX_WATCHED_BYTES = 1_048_576;

/** Stored messages as a page takes them. */
export const asWhole = (messages: readonly Message[]): WholeMessage[] => messages.map((message) => ({ message }));
