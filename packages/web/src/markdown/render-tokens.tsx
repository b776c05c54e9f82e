import type { Token } from "markdown-it";
import { createElement, lazy, type ReactNode, Suspense } from "react";
import { CodeBlock } from "./code-block.tsx";
import { FileName, namesFile } from "./file-name.tsx";
import { Formula } from "./formula.tsx";
import { ImageChip, Link } from "./link.tsx";
import { TaskBox } from "./task-box.tsx";

const Diagram = lazy(() => import("../diagram/diagram.tsx").then((module) => ({ default: module.Diagram })));

/** Deeper nesting is shown flat: thousands of `>` would overflow the stack when rendered. */
const MAX_DEPTH = 40;

/** React elements of markdown-it's tokens; never HTML text. */
export function renderTokens(tokens: readonly Token[], growing: boolean): ReactNode[] {
	const cursor = { tokens, at: 0 };
	return siblings(cursor, growing, 0);
}

interface Cursor {
	tokens: readonly Token[];
	at: number;
}

function siblings(cursor: Cursor, growing: boolean, depth: number): ReactNode[] {
	const nodes: ReactNode[] = [];
	for (;;) {
		const token = cursor.tokens[cursor.at];
		if (token === undefined) return nodes;
		cursor.at += 1;
		if (token.nesting < 0) return nodes;
		const key = cursor.at;
		if (token.nesting > 0) {
			const text = token.type === "link_open" ? plainText(cursor) : "";
			const children = siblings(cursor, growing, depth + 1);
			nodes.push(depth > MAX_DEPTH ? children : container(token, children, text, key));
		} else nodes.push(leaf(token, key, growing, depth, cursor));
	}
}

function container(token: Token, children: ReactNode[], text: string, key: number): ReactNode {
	if (token.hidden) return children;
	switch (token.type) {
		case "heading_open":
			// The page's own headings come before those of a message.
			return createElement(`h${Math.min(6, Number(token.tag.slice(1)) + 2)}`, { key, className: `md-${token.tag}` }, children);
		case "ordered_list_open": {
			const start = Number(token.attrGet("start") ?? 1);
			return (
				<ol key={key} start={start}>
					{children}
				</ol>
			);
		}
		case "table_open":
			return (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
				<div key={key} className="md-table" tabIndex={0}>
					<table>{children}</table>
				</div>
			);
		case "th_open":
		case "td_open": {
			const align = /text-align:(\w+)/.exec(attr(token, "style"))?.[1];
			return createElement(token.tag, { key, ...(align === undefined ? {} : { className: `md-${align}` }) }, children);
		}
		case "link_open":
			return (
				<Link key={key} href={attr(token, "href")} text={text}>
					{children}
				</Link>
			);
		default:
			return ALLOWED.has(token.tag) ? createElement(token.tag, { key }, children) : children;
	}
}

const ALLOWED = new Set(["p", "ul", "li", "blockquote", "thead", "tbody", "tr", "strong", "em", "s"]);

function leaf(token: Token, key: number, growing: boolean, depth: number, cursor: Cursor): ReactNode {
	switch (token.type) {
		case "inline": {
			const task = depth > 1 && cursor.tokens[cursor.at - 3]?.type === "list_item_open" ? taskOf(token) : undefined;
			const inner = siblings({ tokens: task?.rest ?? token.children ?? [], at: 0 }, growing, depth);
			if (task === undefined) return inner;
			return [<TaskBox key="box" done={task.done} />, ...inner];
		}
		case "text":
			return token.content;
		case "softbreak":
			return "\n";
		case "hardbreak":
			return <br key={key} />;
		case "code_inline":
			return namesFile(token.content) ? <FileName key={key} path={token.content} /> : <code key={key}>{token.content}</code>;
		case "fence":
		case "code_block":
			return codeOf(token, key, growing);
		case "hr":
			return <hr key={key} />;
		case "image":
			return <ImageChip key={key} src={attr(token, "src")} alt={token.content} />;
		case "math_inline":
			return <Formula key={key} source={token.content} display={token.markup === "$$"} />;
		case "math_block":
			return <Formula key={key} source={token.content} display />;
		default:
			return token.content;
	}
}

function codeOf(token: Token, key: number, growing: boolean): ReactNode {
	const language = languageOf(token.info);
	const code = <CodeBlock key={key} code={token.content.replace(/\n$/, "")} language={language} growing={growing} />;
	if (language !== "mermaid" || growing) return code;
	return (
		<Suspense key={key} fallback={code}>
			<Diagram source={token.content} code={code} />
		</Suspense>
	);
}

function attr(token: Token, name: string): string {
	return String(token.attrGet(name) ?? "");
}

function languageOf(info: string): string {
	return (/^\s*([\w#+.-]+)/.exec(info)?.[1] ?? "").toLowerCase();
}

/** `[ ] text` at the start of a list item. */
function taskOf(token: Token): { done: boolean; rest: Token[] } | undefined {
	const [first, ...others] = token.children ?? [];
	const match = first?.type === "text" ? /^\[([ xX])\]\s+/.exec(first.content) : null;
	if (first === undefined || match === null) return undefined;
	const text: Token = Object.assign(Object.create(Object.getPrototypeOf(first)), first);
	text.content = first.content.slice(match[0].length);
	return { done: match[1] !== " ", rest: [text, ...others] };
}

/** The text of the link that begins here. */
function plainText(cursor: Cursor): string {
	let text = "";
	for (let at = cursor.at; at < cursor.tokens.length; at++) {
		const token = cursor.tokens[at];
		if (token === undefined || token.type === "link_close") break;
		text += token.content;
	}
	return text;
}
