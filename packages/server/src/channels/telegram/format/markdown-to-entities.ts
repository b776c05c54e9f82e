import type { Token } from "markdown-it";
import type { FormattedText } from "./formatted-text.ts";
import { createMarkdownParser } from "./markdown-parser.ts";
import { tableText } from "./table-text.ts";
import { createTextWriter, type TextWriter } from "./text-writer.ts";

// Endings that are also top-level domains: Telegram would make links of such file names.
const FILE_NAME = /(?<![\w/.@:-])(?:[\w-]+[./])*[\w-]*\.(?:md|py|sh|rs|pl|so|zip|cc|ml|ps|tf|ai)\b(?![/.]\w)/g;
const LINKABLE = /^(https?:\/\/|tg:|mailto:)/i;

/** Turns the agent's Markdown into text with entities. Never fails: what is not Markdown stays text. */
export function createMarkdownRenderer(): (markdown: string) => FormattedText {
	const parser = createMarkdownParser();
	return (markdown) => {
		const writer = createTextWriter();
		writeBlocks(parser.parse(markdown, {}), writer);
		return writer.result();
	};
}

interface List {
	ordered: boolean;
	next: number;
}

function writeBlocks(tokens: Token[], writer: TextWriter): void {
	const lists: List[] = [];
	// The first paragraph of an item stands beside its bullet, that of a quotation at its very beginning.
	let isFirst = false;
	const indent = () => "  ".repeat(Math.max(0, lists.length - 1));
	const separate = () => {
		if (!isFirst) writer.breakLine(lists.length > 0 ? 1 : 2);
		isFirst = false;
	};

	for (let index = 0; index < tokens.length; index++) {
		const token = tokens[index];
		if (token === undefined) continue;
		switch (token.type) {
			case "paragraph_open":
			case "heading_open":
				separate();
				if (token.type === "heading_open") writer.open({ type: "bold" });
				break;
			case "heading_close":
				writer.close("bold");
				break;
			case "inline":
				writeInline(token.children ?? [], writer, lists.length > 0 ? `${indent()}  ` : "");
				break;
			case "bullet_list_open":
			case "ordered_list_open":
				if (lists.length === 0) separate();
				isFirst = false;
				lists.push({ ordered: token.type === "ordered_list_open", next: Number(token.attrGet("start") ?? 1) });
				break;
			case "bullet_list_close":
			case "ordered_list_close":
				lists.pop();
				break;
			case "list_item_open": {
				const list = lists.at(-1);
				writer.breakLine(1);
				writer.write(`${indent()}${list?.ordered === true ? `${list.next++}.` : "•"} `);
				isFirst = true;
				break;
			}
			case "blockquote_open":
				separate();
				writer.open({ type: "blockquote" });
				isFirst = true;
				break;
			case "blockquote_close":
				writer.close("blockquote");
				break;
			case "fence":
			case "code_block":
				if (lists.length > 0) isFirst = false;
				separate();
				writeCode(token, writer);
				break;
			case "hr":
				separate();
				writer.write("———");
				break;
			case "table_open": {
				let end = index;
				while (end < tokens.length && tokens[end]?.type !== "table_close") end += 1;
				separate();
				writer.open({ type: "pre" });
				writer.write(tableText(tokens.slice(index, end)));
				writer.close("pre");
				index = end;
				break;
			}
			default:
				if (token.content !== "") {
					separate();
					writer.write(token.content);
				}
		}
	}
}

function writeCode(token: Token, writer: TextWriter): void {
	const language = /^[\w+#.-]{1,32}/.exec(token.info.trim())?.[0];
	writer.open({ type: "pre", ...(language === undefined ? {} : { language }) });
	writer.write(token.content.replace(/\n$/, ""));
	writer.close("pre");
}

function writeInline(tokens: Token[], writer: TextWriter, indent: string): void {
	const links: string[] = [];
	for (const [index, token] of tokens.entries()) {
		switch (token.type) {
			case "text":
				writeWords(index === 0 ? withTaskMark(token.content, indent) : token.content, writer, links.length > 0);
				break;
			case "code_inline":
				writer.open({ type: "code" });
				writer.write(token.content);
				writer.close("code");
				break;
			case "softbreak":
			case "hardbreak":
				writer.write(`\n${indent}`);
				break;
			case "strong_open":
				writer.open({ type: "bold" });
				break;
			case "strong_close":
				writer.close("bold");
				break;
			case "em_open":
				writer.open({ type: "italic" });
				break;
			case "em_close":
				writer.close("italic");
				break;
			case "s_open":
				writer.open({ type: "strikethrough" });
				break;
			case "s_close":
				writer.close("strikethrough");
				break;
			case "link_open": {
				const url = String(token.attrGet("href") ?? "");
				links.push(url);
				if (LINKABLE.test(url)) writer.open({ type: "text_link", url });
				break;
			}
			case "link_close":
				closeLink(links.pop() ?? "", tokens[index - 1]?.content ?? "", writer);
				break;
			case "image":
				writer.write(`🖼 ${token.content === "" ? String(token.attrGet("src") ?? "") : token.content}`);
				break;
			default:
				writer.write(token.content);
		}
	}
}

/** A link that Telegram would refuse is shown as its text with the target as code. */
function closeLink(url: string, label: string, writer: TextWriter): void {
	if (LINKABLE.test(url)) {
		writer.close("text_link");
		return;
	}
	const target = safeDecode(url);
	if (target === "" || target === label) return;
	writer.write(" (");
	writer.open({ type: "code" });
	writer.write(target);
	writer.close("code");
	writer.write(")");
}

function writeWords(text: string, writer: TextWriter, insideLink: boolean): void {
	let at = 0;
	for (const match of insideLink ? [] : text.matchAll(FILE_NAME)) {
		writer.write(text.slice(at, match.index));
		writer.open({ type: "code" });
		writer.write(match[0]);
		writer.close("code");
		at = match.index + match[0].length;
	}
	writer.write(text.slice(at));
}

function withTaskMark(text: string, indent: string): string {
	if (indent === "") return text;
	return text.replace(/^\[( |x|X)\] /, (_, mark: string) => (mark === " " ? "☐ " : "☑ "));
}

function safeDecode(url: string): string {
	try {
		return decodeURI(url);
	} catch {
		return url;
	}
}
