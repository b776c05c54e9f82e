import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkText } from "../../../../../../test/support/bot-api/message-rules.ts";
import { createMarkdownRenderer } from "./markdown-to-entities.ts";
import { splitText } from "./split-text.ts";

const render = createMarkdownRenderer();

/** What Telegram would make of it: refuses what Telegram refuses, and lists each entity with its text. */
function shown(markdown: string) {
	const { text, entities } = render(markdown);
	checkText({ text: text === "" ? "x" : text, entities }, "text");
	return { text, entities: entities.map((entity) => [entity.type, text.slice(entity.offset, entity.offset + entity.length)]) };
}

test("[TG35] Markdown becomes entities: emphasis, code, links, lists, quotes, headings", () => {
	expect(shown("**bold** *it* ~~gone~~ `code` [site](https://a.example/x?y=1)")).toEqual({
		text: "bold it gone code site",
		entities: [
			["bold", "bold"],
			["italic", "it"],
			["strikethrough", "gone"],
			["code", "code"],
			["text_link", "site"],
		],
	});
	expect(shown("# Title\n\nText\n\n1. one\n2. two\n   - deep\n\n> quoted\n> more")).toEqual({
		text: "Title\n\nText\n\n1. one\n2. two\n  • deep\n\nquoted\nmore",
		entities: [
			["bold", "Title"],
			["blockquote", "quoted\nmore"],
		],
	});
	expect(shown("- [x] done\n- [ ] open").text).toBe("• ☑ done\n• ☐ open");
	expect(shown("7. seven\n8. eight").text).toBe("7. seven\n8. eight");
});

test("[TG35] code keeps its language and holds nothing else; bold around code is cut, not refused", () => {
	expect(render("```ts\nconst a = **1**;\n```").entities).toEqual([{ type: "pre", offset: 0, length: 16, language: "ts" }]);
	expect(shown("**see `x` here**")).toEqual({
		text: "see x here",
		entities: [
			["bold", "see "],
			["code", "x"],
			["bold", " here"],
		],
	});
	expect(shown("> quote with\n> ```\n> code\n> ```").entities).toEqual([
		["blockquote", "quote with\n\ncode"],
		["pre", "code"],
	]);
	expect(shown("```py\nunclosed").entities).toEqual([["pre", "unclosed"]]);
	expect(shown("***both***").entities).toHaveLength(2);
});

test("[TG35] Chinese emphasis works, file names keep their underscores and backslashes", () => {
	expect(shown("**注意：**請先備份").entities).toEqual([["bold", "注意："]]);
	expect(shown("edit __init__.py and foo.__name__ now").text).toBe("edit __init__.py and foo.__name__ now");
	expect(shown("edit __init__.py").entities).toEqual([["code", "__init__.py"]]);
	expect(shown("in C:\\new_dir and C:\\me\\_x").text).toBe("in C:\\new_dir and C:\\me\\_x");
	expect(shown("snake\\_case").text).toBe("snake_case");
});

test("[TG35] a relative link is shown as code, a table as aligned text, raw HTML as text", () => {
	expect(shown("[x](src/a.ts#L3)")).toEqual({ text: "x (src/a.ts#L3)", entities: [["code", "src/a.ts#L3"]] });
	expect(shown("[x](file:///etc/passwd) [y](javascript:alert(1))").entities.filter(([type]) => type === "text_link")).toEqual([]);
	expect(shown("| a | 名稱 |\n|---|---|\n| 1 | `22` |")).toEqual({
		text: "a | 名稱\n--+-----\n1 | 22",
		entities: [["pre", "a | 名稱\n--+-----\n1 | 22"]],
	});
	expect(shown("<div>hi &amp; <b>bye</b></div>").text).toBe("<div>hi & <b>bye</b></div>");
	expect(shown("---").text).toBe("———");
});

test("[TG35] nothing an agent can write makes entities that Telegram refuses", async () => {
	const pieces = [
		"**",
		"*",
		"_",
		"`",
		"```",
		"\n",
		"> ",
		"- ",
		"1. ",
		"[",
		"](",
		")",
		"https://a.example",
		"|",
		"注意：",
		"😀",
		"a_b",
		"~~",
		"\\",
		"<b>",
		"README.md",
		" ",
		"# ",
		"![i](x)",
		"&amp;",
	];
	await fc.assert(
		fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
			for (const part of splitText(render(parts.join("")), 64)) checkText({ ...part }, "text");
		}),
		{ numRuns: 400 },
	);
});
