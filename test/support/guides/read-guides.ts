import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** How a block of commands is run. The word stands behind `sh` where the block begins; readers do not see it. */
export type BlockKind =
	/** To its end, exit 0, with a server that runs as a service. */
	| "run"
	/** Until the server that it starts is ready. */
	| "start"
	/** In a terminal, until it shows its line to type in. */
	| "terminal"
	/** In the account of another machine. */
	| "other-machine"
	/** Not at all; the reason stands behind the word. */
	| "outside";

export interface CommandBlock {
	/** The document and the line where it begins. */
	readonly at: string;
	readonly kind: BlockKind;
	/** Why it is not run; empty for all others. */
	readonly reason: string;
	readonly text: string;
}

export interface Guide {
	/** From the checkout. */
	readonly path: string;
	/** The same document in the other language. */
	readonly name: string;
	readonly text: string;
	readonly blocks: readonly CommandBlock[];
}

const HOMES = {
	en: { readme: "README.md", guides: "docs/guides" },
	"zh-Hant": { readme: "docs/zh-Hant/README.md", guides: "docs/zh-Hant/guides" },
};

/** The landing page and the guides of a language, with their commands. */
export function readGuides(language: keyof typeof HOMES): Guide[] {
	const { readme, guides } = HOMES[language];
	const names = readdirSync(join(ROOT, guides))
		.filter((name) => name.endsWith(".md"))
		.sort();
	return [{ path: readme, name: "README" }, ...names.map((name) => ({ path: `${guides}/${name}`, name: `guides/${name}` }))].map(
		({ path, name }) => {
			const text = readFileSync(join(ROOT, path), "utf8");
			return { path, name, text, blocks: readBlocks(path, text) };
		},
	);
}

/** Every fenced block whose language is `sh`, wherever it is indented. Throws on a word that means nothing. */
export function readBlocks(path: string, text: string): CommandBlock[] {
	return [...text.matchAll(/^( *)```sh\b(.*)\n([\s\S]*?)^ *```$/gm)].map(({ index, 1: indent = "", 2: info = "", 3: body = "" }) => {
		const at = `${path}:${text.slice(0, index).split("\n").length}`;
		const [word = "run", ...reason] = info.trim().split(" ").filter(Boolean);
		const kind = KINDS.find((each) => each === word);
		if (kind === undefined) throw new Error(`${at}: "${word}" says nothing about how to run this.`);
		return { at, kind, reason: reason.join(" "), text: body.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
	});
}

const KINDS: readonly BlockKind[] = ["run", "start", "terminal", "other-machine", "outside"];
