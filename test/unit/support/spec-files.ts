import { readSources } from "./source-files.ts";

/** Every `SPEC.md` that holds rules: one in each room. The one of the checkout itself holds only the words and the index. */
export function readSpecs(): { path: string; lines: string[] }[] {
	return readSources(["packages", "scripts", "test", "bench"], /\/SPEC\.md$/).map(({ path, text }) => ({ path, lines: text.split("\n") }));
}

/** The id of the rule that a line states. */
export function ruleOf(line: string): string | undefined {
	return /^- \*\*([A-Z]{2}\d+)\*\* \S/.exec(line)?.[1];
}

/** The ids of all rules, in the order of the files. */
export function listRules(): string[] {
	return readSpecs().flatMap(({ lines }) => lines.flatMap((line) => ruleOf(line) ?? []));
}
