import createMarkdownIt, { type MarkdownIt } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { mathRules } from "./math-rules.ts";

export type Parser = MarkdownIt;

/** Raw HTML off, links only to where a person may safely go, addresses in plain text become links only with their scheme. */
export function createParser(): Parser {
	const parser = createMarkdownIt({ html: false, linkify: true, breaks: false, typographer: false });
	parser.use(cjkFriendly);
	parser.use(mathRules);
	// Without this "README.md" is a link to a host in Moldova.
	parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
	parser.validateLink = () => true;
	return parser;
}

/** The one of the page: building one takes longer than reading most messages, and it keeps nothing between texts. */
export const parser = createParser();

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Where a link or image leads, if a browser may go there. */
export function safeUrl(href: string): URL | undefined {
	if (!/^[a-z][a-z0-9+.-]*:/i.test(href.trim())) return undefined;
	try {
		const url = new URL(href);
		return SAFE_SCHEMES.has(url.protocol) ? url : undefined;
	} catch {
		return undefined;
	}
}
