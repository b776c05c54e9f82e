import { existsSync } from "node:fs";
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
	const index = documents.find(({ path }) => path === "docs/README.md");
	const reachable = new Set(linksOf("docs/README.md", index?.text ?? ""));
	const lost = documents
		.map(({ path }) => path)
		.filter((path) => path !== "docs/README.md" && !path.startsWith("docs/decisions/") && !reachable.has(path));
	expect(lost.filter((path) => path !== "CHANGELOG.md")).toEqual([]);
});
