import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readSources } from "./support/source-files.ts";

const documents = [...readSources(["docs"], /\.md$/), ...readSources(["."], /^(?!.*[\\/](?:packages|node_modules)[\\/]).*\.md$/)].filter(
	(file, index, all) => all.findIndex((other) => other.path === file.path) === index,
);

/** Files of ours that a document points to, seen from the checkout. */
const linksOf = (path: string, text: string) =>
	[...text.matchAll(/(?:\]\(|src="|srcset=")([^)"#\s]+)/g)]
		.map(([, link = ""]) => link)
		.filter((link) => !/^[a-z]+:/.test(link))
		.map((link) => posix.join(posix.dirname(path), link));

test("[AR15] every link between our documents leads to a file", () => {
	const broken = documents.flatMap(({ path, text }) =>
		linksOf(path, text)
			.filter((link) => !existsSync(join(ROOT, link)))
			.map((link) => `${path} → ${link}`),
	);
	expect(broken).toEqual([]);
});

test("[AR15] every document is reachable from the index", () => {
	const indexes = documents.filter(({ path }) => /^docs\/(?:(?:zh-Hant\/)?guides\/)?README\.md$|^SPEC\.md$/.test(path));
	const reachable = new Set(indexes.flatMap(({ path, text }) => linksOf(path, text)));
	const lost = documents
		.map(({ path }) => path)
		.filter((path) => path !== "docs/README.md" && !path.startsWith("docs/decisions/") && !reachable.has(path));
	expect(lost.filter((path) => path !== "CHANGELOG.md")).toEqual([]);
});

test("[AR121] every source file that a document names is there", () => {
	const files = readSources(["packages", "scripts", "test", "bench", "examples"], /\.(?:ts|tsx|js|mjs)$/).flatMap(({ path }) => [
		`/${path}`,
		`/${path.replace(/^packages\/(\w+)\/src\//, "$1/")}`,
	]);
	const missing = documents
		.filter(({ path, text }) => path !== "CHANGELOG.md" && !/^Superseded by/m.test(text))
		.flatMap(({ path, text }) => [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|mjs))`/g)].map(([, name = ""]) => ({ path, name })))
		.filter(({ name }) => !files.some((file) => file.endsWith(`/${name}`)))
		.map(({ path, name }) => `${path}: ${name}`);
	expect(missing).toEqual([]);
	const folders = documents
		.filter(({ text }) => !/^Superseded by/m.test(text))
		.flatMap(({ path, text }) =>
			[...text.matchAll(/`((?:packages|test|bench|scripts|docs)\/[\w./-]+)`/g)].map(([, name = ""]) => ({ path, name })),
		)
		// A run of the benchmarks writes it.
		.filter(({ name }) => name !== "bench/results.json" && !existsSync(join(ROOT, name)))
		.map(({ path, name }) => `${path}: ${name}`);
	expect(folders).toEqual([]);
});

test("[AR124] every frame that a document names is one of the protocol", () => {
	const protocol = readSources(["packages/protocol/src"])
		.map(({ text }) => text)
		.join("");
	const unknown = documents
		.filter(({ path }) => path !== "CHANGELOG.md")
		.flatMap(({ path, text }) =>
			[...text.matchAll(/\b((?:copilot|bash|conversation|terminal|presence|app):[a-z][\w-]*)/g)].map(([, name = ""]) => ({ path, name })),
		)
		.filter(({ name }) => !protocol.includes(`"${name}"`))
		.map(({ path, name }) => `${path}: ${name}`);
	expect(unknown).toEqual([]);
});

const decisions = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path)).sort((a, b) => a.path.localeCompare(b.path));

test("[AR122] the index of decisions lists every one with its number, title and status, and nothing else", () => {
	const index = readFileSync(join(ROOT, "docs/decisions/README.md"), "utf8").split("\n");
	const rows = decisions.map(({ path, text }) => {
		const [, number, title] = /^# (\d{4}): (.+)/.exec(text) ?? [];
		const [, change, other] = /^(Superseded by|Merged into|Affirmed by) \[(\d{4})\]/m.exec(text) ?? [];
		const status = change === undefined ? "accepted" : `${change.toLowerCase()} ${other}`;
		return `| ${number} | [${title}](${posix.basename(path)}) | ${status} |`;
	});
	expect(index.filter((line) => /^\| \d/.test(line))).toEqual(rows);
});

test("[AR122] a decision's number is that of its file, and no two share one", () => {
	const numbers = decisions.map(({ path }) => posix.basename(path).slice(0, 4));
	expect(new Set(numbers).size).toBe(numbers.length);
	expect(decisions.map(({ text }) => text.slice(2, 6))).toEqual(numbers);
});
