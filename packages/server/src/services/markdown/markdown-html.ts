import MarkdownIt, { type Token } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
/** Below the heading of the message that it stands in. */
const HEADING_STEPS = 2;

/**
 * Markdown as HTML for a page of plain text and style: raw HTML stays text, a link leads only where a person may safely go, and nothing is
 * loaded from anywhere, so a picture is the words that stand for it.
 */
export function createMarkdownHtml(): (text: string) => string {
	const parser = new MarkdownIt({ html: false, linkify: true, typographer: false }).use(cjkFriendly);
	// Without this "README.md" is a link to a host in Moldova.
	parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
	// Whether a link is one is decided below: what is not safe keeps its words.
	parser.validateLink = () => true;
	parser.core.ruler.push("for-readers", ({ tokens }) => {
		for (const [at, token] of tokens.entries()) {
			forReaders(token);
			if (token.type === "inline" && token.children !== null)
				token.children = inlineForReaders(token.children, tokens[at - 2]?.type === "list_item_open");
		}
	});
	parser.renderer.rules.table_open = () => '<div class="table"><table>\n';
	parser.renderer.rules.table_close = () => "</table></div>\n";
	return remembering((text) => parser.render(text.toWellFormed().replace(UNSEEN, "")));
}

/** Characters of texts and what was made of them that are kept: the page of a guest asks for the same again and again. */
const MAX_KEPT_HTML_CHARS = 4_000_000;

/** The same with what was asked for last at hand; what was not asked for longest goes first. */
export function remembering(render: (text: string) => string, maxChars = MAX_KEPT_HTML_CHARS): (text: string) => string {
	const kept = new Map<string, string>();
	let chars = 0;
	return (text) => {
		const known = kept.get(text);
		const html = known ?? render(text);
		kept.delete(text);
		kept.set(text, html);
		if (known === undefined) chars += text.length + html.length;
		for (const [oldest, made] of kept) {
			if (chars <= maxChars) break;
			kept.delete(oldest);
			chars -= oldest.length + made.length;
		}
		return html;
	};
}

/** Control characters that no reader shows. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

function forReaders(token: Token): void {
	if (/^h[1-6]$/.test(token.tag)) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + HEADING_STEPS)}`;
	if (/^(paragraph|heading|list_item)_open$/.test(token.type)) token.attrSet("dir", "auto");
}

function inlineForReaders(children: readonly Token[], isListItem: boolean): Token[] {
	let isDropped = false;
	const kept = children.filter((token) => {
		if (token.type === "link_open") {
			isDropped = !isSafe(String(token.attrGet("href") ?? ""));
			token.attrSet("rel", "noopener noreferrer nofollow");
			token.attrSet("target", "_blank");
		}
		return !(isDropped && (token.type === "link_open" || token.type === "link_close"));
	});
	for (const token of kept) if (token.type === "image") asWords(token);
	const [first] = kept;
	if (isListItem && first?.type === "text")
		first.content = first.content.replace(/^\[([ xX])\] /, (_, mark) => (mark === " " ? "☐ " : "☑ "));
	return kept;
}

/** A picture from elsewhere would tell whose page is read, and when. */
function asWords(token: Token): void {
	const source = String(token.attrGet("src") ?? "");
	token.type = "text";
	token.tag = "";
	token.content = [token.content, isSafe(source) ? `(${source})` : ""].filter((part) => part !== "").join(" ");
	token.children = null;
}

function isSafe(href: string): boolean {
	if (!/^[a-z][a-z0-9+.-]*:/i.test(href.trim())) return false;
	try {
		return SAFE_SCHEMES.has(new URL(href).protocol);
	} catch {
		return false;
	}
}
