import { readSources } from "../unit/support/source-files.ts";
import { readSpecs, ruleOf } from "../unit/support/spec-files.ts";
import type { ProvenRule } from "./promises-page.ts";

/** Every rule of the house with the test files that cite it. */
export function provenRules(): Map<string, ProvenRule> {
	const tests = new Map<string, Set<string>>();
	for (const { path, text } of readSources(["packages", "test"], /\.test\.tsx?$/)) {
		for (const [, id = ""] of text.matchAll(/\[([A-Z]{2}\d+)\]/g)) tests.set(id, (tests.get(id) ?? new Set()).add(path));
	}
	const rules = new Map<string, ProvenRule>();
	for (const line of readSpecs().flatMap(({ lines }) => lines)) {
		const id = ruleOf(line);
		if (id === undefined) continue;
		rules.set(id, { id, text: line.slice(line.indexOf("** ") + 3), tests: [...(tests.get(id) ?? [])].sort() });
	}
	return rules;
}
