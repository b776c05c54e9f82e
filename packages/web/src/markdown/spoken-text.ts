import type { Token } from "markdown-it";
import { parser } from "./parser.ts";

/** Marks and addresses are parsed and not spoken, so more is read than is said; the rest of a long answer is not parsed a second time. */
const PARSED_PER_SPOKEN = 5;

/** The beginning of a text as a person would read it aloud: without the marks of Markdown, cut between words. */
export function spokenText(markdown: string, maxChars: number): string {
	const text = parser
		.parse(markdown.slice(0, maxChars * PARSED_PER_SPOKEN), {})
		.map((block) => (block.children ?? [block]).map(wordsOf).join(""))
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();
	if (text.length <= maxChars) return text;
	const cut = text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
	// Chinese has no spaces to cut at.
	const words = cut.replace(/ \S{0,40}$/, "");
	return `${words}…`;
}

/** An image is named by its text; a break between lines is a break between words. */
function wordsOf({ type, content }: Token): string {
	return type === "softbreak" || type === "hardbreak" ? " " : content;
}
