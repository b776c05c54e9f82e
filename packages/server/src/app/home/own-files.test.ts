import { expect, test } from "vitest";
import { readSources } from "../../../../../test/unit/support/source-files.ts";
import { OWN_ENTRIES } from "./own-files.ts";

/** What the sources put into the home directory, by name: written there, or as a constant that some file exports. */
function namesInHome(): string[] {
	const sources = readSources(["packages/server/src"]).filter(({ isTest }) => !isTest);
	const all = sources.map(({ text }) => text).join("\n");
	const textOf = (text: string, constant = "") => {
		const found = new RegExp(`\\bconst ${constant} = "([^"]+)"`);
		return (found.exec(text) ?? found.exec(all))?.[1] ?? constant;
	};
	return sources.flatMap(({ text }) =>
		[...text.matchAll(/\bjoin\((?:\w+\.)*home, (?:"([^"]+)"|([A-Z_]+))/g)].map(([, name, constant]) => name ?? textOf(text, constant)),
	);
}

test("[CF401] every name that the sources give to something in the home directory is known as ours", () => {
	const names = new Set(namesInHome());
	expect(names.size).toBeGreaterThan(10);
	expect([...names].filter((name) => name !== "worktrees" && !OWN_ENTRIES.includes(name))).toEqual([]);
});
