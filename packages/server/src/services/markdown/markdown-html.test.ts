import { expect, test } from "vitest";
import { createMarkdownHtml, remembering } from "./markdown-html.ts";

const html = createMarkdownHtml();

test("[SR20] Markdown is headings, lists, tables, code, quotes, emphasis and links on a page for others", () => {
	expect(html("# One\n\n* **two** `three`\n* [x] four\n\n> five")).toBe(
		'<h3 dir="auto">One</h3>\n<ul>\n<li dir="auto"><strong>two</strong> <code>three</code></li>\n<li dir="auto">☑ four</li>\n</ul>\n<blockquote>\n<p dir="auto">five</p>\n</blockquote>\n',
	);
	expect(html("| a | b |\n|---|---|\n| 1 | 2 |")).toMatch(
		/^<div class="table"><table>[\s\S]*<th>a<\/th>[\s\S]*<td>2<\/td>[\s\S]*<\/table><\/div>\n$/,
	);
	expect(html("```js\na < b\n```")).toBe('<pre><code class="language-js">a &lt; b\n</code></pre>\n');
	expect(html("這是**「重點」**的字，README.md")).toBe('<p dir="auto">這是<strong>「重點」</strong>的字，README.md</p>\n');
	expect(html("[go](https://a.example/?b=1&c) https://d.example")).toBe(
		'<p dir="auto"><a href="https://a.example/?b=1&amp;c" rel="noopener noreferrer nofollow" target="_blank">go</a> <a href="https://d.example" rel="noopener noreferrer nofollow" target="_blank">https://d.example</a></p>\n',
	);
});

test("[SR21] nothing in a text becomes an element, an attribute or an address of its own, and nothing is loaded from elsewhere", () => {
	const hostile = [
		"<script>alert(1)</script> <img src=x onerror=alert(1)> <iframe>",
		"[a](javascript:alert(1)) [b](data:text/html,x) [c](JaVaScRiPt&colon;alert) [d](/local) [e](//host) [f](file:///etc) <javascript:alert(1)>",
		'![alt" onerror="x](https://a.example/p.png) ![q](data:image/svg+xml,<svg>) [![in](https://b.example/i.png)](vbscript:x)',
		'[g](https://a.example/" onclick="x) ```" onclick="x\n</code></pre><script>\n```',
		"| <b> | [h](javascript:x) |\n|---|---|\n| <style> | &lt;script&gt; |",
		'```"><script>\nx\n```',
		"\u0000\u0007[i]: javascript:alert(1)\n\n[i] \ud800",
	].map(html);
	const allowed = new Set(["p", "a", "em", "strong", "code", "pre", "table", "thead", "tbody", "tr", "th", "td", "div"]);
	const tags = hostile.flatMap((made) => [...made.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag = ""]) => tag));
	expect(tags.filter((tag) => !allowed.has(tag))).toEqual([]);
	const attributes = hostile.flatMap((made) =>
		[...made.matchAll(/<[^>]*>/g)].flatMap(([tag]) => [...tag.matchAll(/\s([a-z]+)="([^"]*)"/g)]),
	);
	expect(attributes.filter(([, name = ""]) => !["dir", "class", "href", "rel", "target"].includes(name))).toEqual([]);
	expect(attributes.filter(([, name, value = ""]) => name === "href" && !/^https:\/\/a\.example\//.test(value))).toEqual([]);
	expect(hostile.join("")).toContain("alt&quot; onerror=&quot;x (https://a.example/p.png)");
});

test("[SR22] what is kept of it is bounded: what was not asked for longest goes first", () => {
	const made: string[] = [];
	const render = remembering((text) => {
		made.push(text);
		return text.toUpperCase();
	}, 20);
	for (const text of ["aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"]) expect(render(text)).toBe(text.toUpperCase());
	expect(made).toEqual(["aaaa", "bbbb", "cccc", "bbbb"]);
	expect([render("d".repeat(30)), render("d".repeat(30)), made.length]).toEqual(["D".repeat(30), "D".repeat(30), 6]);
});
