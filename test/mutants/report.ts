import type { Mutant } from "./mutant.ts";

/** `hung`: the tests did not end, which nobody would merge either. */
export type Verdict = "noticed" | "survived" | "hung";

/** docs/mutation.md. */
export function mutationReport(areas: Record<string, readonly Mutant[]>, verdicts: ReadonlyMap<string, Verdict>): string {
	const all = Object.values(areas).flat();
	const survived = all.filter(({ name }) => verdicts.get(name) === "survived");
	const sections = Object.entries(areas).map(([area, mutants]) => {
		const rows = mutants.map(({ name, file }) => `| ${name} | \`${file}\` | ${verdicts.get(name) ?? "not run"} |`);
		return `## ${area}\n\n| mutant | file | outcome |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
	});
	return `# Mutants

A mutant is one way to break the product. \`npm run mutants\` applies each of the list in \`test/mutants\` to a copy of the source, runs the tests that must notice, and fails if one survives. It is a written list, not every
change that a tool could make: behaviours that were once broken without a red test, and the lines on which a promise hangs. \`npm run mutants -- --docs\` writes this page; a test checks that every mutant still applies to
the source and stands here.

**Score: ${all.length - survived.length} of ${all.length} noticed, ${survived.length} survived.**

${sections.join("\n")}`;
}
