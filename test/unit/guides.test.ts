import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import { expect, test } from "vitest";
import { KEEP_MS } from "../../packages/changes/src/blobs/maintain.ts";
import { COMMANDS } from "../../packages/server/src/app/cli/commands.ts";
import { ALL_SETTINGS, SETTINGS } from "../../packages/server/src/app/config/config-schema.ts";
import { MAX_RUNNING_TURNS } from "../../packages/server/src/channels/mcp/access.ts";
import { MAX_CONVERSATIONS_PER_HOUR, MAX_PROMPTS_PER_DAY, MAX_PROMPTS_PER_HOUR } from "../../packages/server/src/channels/mcp/lineage.ts";
import { ERROR_CODES } from "../../packages/server/src/core/kernel/errors.ts";
import { KNOWN_AGENTS } from "../../packages/server/src/runtime/agents/known-agents.ts";
import { MAX_BACKUPS } from "../../packages/server/src/store/backup/backup-files.ts";
import { readBlocks, readGuides } from "../support/guides/read-guides.ts";
import { ROOT, readSources } from "./support/source-files.ts";

const english = readGuides("en");
const chinese = readGuides("zh-Hant");
const both = [...english, ...chinese];
const outside = (blocks: typeof english) => blocks.flatMap((guide) => guide.blocks).filter(({ kind }) => kind === "outside");

/** Blocks that no test runs, in each language. One more is one more promise that nobody tries: think first. */
const OUTSIDE = 8;

test("[DC2] every guide is there in both languages, with the same parts, tables and pictures", () => {
	const shape = (text: string) => ({
		headings: text.match(/^#+ /gm),
		rows: text.match(/^\|/gm)?.length,
		items: text.match(/^(?:\*|\d\.) /gm)?.length,
		pictures: text.match(/<img |<source /g)?.length,
	});
	const shapes = (guides: typeof english) => Object.fromEntries(guides.map(({ name, text }) => [name, shape(text)]));
	expect(shapes(chinese)).toEqual(shapes(english));
	for (const { path, text } of chinese) expect(text.match(/\p{Script=Han}/gu)?.length, path).toBeGreaterThan(100);
});

test("[DC2] the commands of a guide are the same in both languages; only comments and words to an agent are translated", () => {
	/** What stands between double quotes may be in the reader's language. */
	const commands = (text: string, words: string) => {
		const translated = words.split('"').map((part, index) => index % 2 === 1 && /\p{Script=Han}/u.test(part));
		return text
			.replaceAll(/(?:^|\s+)# .*$/gm, "")
			.split('"')
			.map((part, index) => (translated[index] === true ? "…" : part))
			.join('"');
	};
	for (const [index, guide] of english.entries()) {
		const other = chinese[index]?.blocks ?? [];
		const told = guide.blocks.map(({ kind, text }, at) => [kind, commands(text, other[at]?.text ?? "")]);
		expect(
			other.map(({ kind, text }) => [kind, commands(text, text)]),
			guide.name,
		).toEqual(told);
	}
});

test("[DC3] a command that no test runs says why, and there are no more of them than counted here", () => {
	expect(outside(both).filter(({ reason }) => reason.split(" ").length < 3)).toEqual([]);
	expect([outside(english).length, outside(chinese).length]).toEqual([OUTSIDE, OUTSIDE]);
	const named = outside(both).flatMap(({ at, reason }) => (reason.match(/test\/[\w./-]+/g) ?? []).map((file) => ({ at, file })));
	expect(named.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("[DC3] blocks are found where they are indented, with how they are run; a word that means nothing is refused", () => {
	const text =
		"# A\n\n1. x\n\n   ```sh start\n   a\n     b\n   ```\n\n```sh\nc\n```\n\n```json\n{}\n```\n\n```sh outside no net here\nd\n```\n";
	expect(readBlocks("a.md", text)).toEqual([
		{ at: "a.md:5", kind: "start", reason: "", text: "a\n  b\n" },
		{ at: "a.md:10", kind: "run", reason: "", text: "c\n" },
		{ at: "a.md:18", kind: "outside", reason: "no net here", text: "d\n" },
	]);
	expect(() => readBlocks("a.md", "```sh later\nx\n```\n")).toThrow('a.md:1: "later"');
});

test("[DC4] troubleshooting says what to do about every code that people meet, in both languages, and about nothing else", () => {
	const sentences = Object.keys({ ...errorSentences.en, ...errorSentences["zh-Hant"] }).map((key) => key.replace(/\/.*/, ""));
	const codes = [...new Set([...ERROR_CODES, ...sentences])].sort();
	for (const { path, text } of both.filter(({ name }) => name === "guides/troubleshooting.md")) {
		const listed = text.split("\n").flatMap((line) => {
			const [, cell = ""] = /^\| ((?:`[a-z-]+`(?:, |、)?)+) \| .{12,} \|$/.exec(line) ?? [];
			return cell.match(/[a-z-]{2,}/g) ?? [];
		});
		expect(listed.sort(), path).toEqual(codes);
	}
});

test("[DC5] what a guide names on the page is what the page says, in the guide's language", () => {
	const words = readSources(["packages/web/src"], /-messages\.ts$/)
		.flatMap(({ text }) => [...text.matchAll(/: +"((?:[^"\\]|\\.)*)",?$/gm)].map(([, value = ""]) => value))
		.flatMap((value) => value.split(" || "));
	const known = new Set(words);
	const named = both.flatMap(({ path, name, text }) => {
		if (name === "README") return [];
		const marks = path.includes("zh-Hant") ? /「([^」]+)」/g : /(?<![*\w])\*([^*\s][^*\n]*)\*(?!\*)/g;
		return [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(marks)].map(([, label = ""]) => ({ path, label }));
	});
	expect(named.length).toBeGreaterThan(40);
	expect(named.filter(({ label }) => !known.has(label))).toEqual([]);
});

test("[DC6] every command that a guide names is one of `rightseat help`, and every part that it links to is there", () => {
	const commands = new Set(COMMANDS.map(({ name }) => name));
	const unknown = both.flatMap(({ path, text }) =>
		[...text.matchAll(/(?:^|[`\s|])rightseat ([a-z]+)\b(?!:)/gm)]
			.filter(([, name = ""]) => !commands.has(name))
			.map(([line]) => `${path}: ${line}`),
	);
	expect(unknown).toEqual([]);
	const slug = (heading: string) =>
		heading
			.toLowerCase()
			.replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
			.replaceAll(" ", "-");
	const lost = both.flatMap(({ path, text }) =>
		[...text.matchAll(/\]\(([\w./-]+\.md)#([^)]+)\)/g)].filter(([, file = "", part = ""]) => {
			const [target] = readSources(
				[dirname(join(dirname(path), file))],
				new RegExp(`${join(dirname(path), file).replaceAll(/[./]/g, "\\$&")}$`),
			);
			const slugs = [...(target?.text ?? "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));
			return !slugs.includes(part);
		}),
	);
	expect(lost.map(([link]) => link)).toEqual([]);
});

test("[DC7] the settings, the agents' commands and the numbers that a guide names are those of the code", () => {
	const settings = new Set([...ALL_SETTINGS.map(({ env }) => env), "RIGHTSEAT_TOKEN"]);
	const named = both.flatMap(({ path, text }) =>
		[...text.matchAll(/\b(?:RIGHTSEAT|TELEGRAM|COPILOT|GITHUB)_[A-Z_]+/g)].map(([name]) => ({ path, name })),
	);
	expect(named.filter(({ name }) => !settings.has(name))).toEqual([]);
	for (const { path, text } of both.filter(({ name }) => name === "guides/agents.md")) {
		const rows = [...text.matchAll(/^\| ([A-Za-z ]+) \| `(npm install .+)` \| `(.+)` \|$/gm)];
		expect(rows.length, path).toBe(4);
		for (const [, name, install, login] of rows)
			expect(KNOWN_AGENTS.find((agent) => agent.name === name)).toMatchObject({ installCommand: install, loginCommand: login });
	}
	const numbers = {
		"guides/teams.md": [
			MAX_CONVERSATIONS_PER_HOUR,
			MAX_PROMPTS_PER_HOUR,
			MAX_PROMPTS_PER_DAY,
			MAX_RUNNING_TURNS,
			SETTINGS.maxTurns.fallback,
		],
		"guides/backup.md": [MAX_BACKUPS],
		"guides/troubleshooting.md": [KEEP_MS / 86_400_000],
	};
	for (const [name, values] of Object.entries(numbers))
		for (const { path, text } of both.filter((guide) => guide.name === name))
			expect(
				values.filter((value) => !new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text)),
				path,
			).toEqual([]);
});
