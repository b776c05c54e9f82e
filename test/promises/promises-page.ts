import type { Said } from "./read-promises.ts";

/** A rule as it stands in its SPEC.md, and the files whose tests cite it. */
export interface ProvenRule {
	id: string;
	text: string;
	tests: readonly string[];
}

/** docs/promises.md. */
export function promisesPage(promises: readonly Said[], rules: ReadonlyMap<string, ProvenRule>): string {
	const sections = new Map<string, Said[]>();
	for (const promise of promises) {
		const title = `${promise.document}: ${promise.section}`;
		sections.set(title, [...(sections.get(title) ?? []), promise]);
	}
	const tables = [...sections].map(([title, list]) => {
		const rows = list.map(({ text, rules: ids }) => `| ${text.replaceAll("|", "\\|")} | ${ids.join(", ")} |`);
		return `## ${title}\n\n| promise | rules |\n| --- | --- |\n${rows.join("\n")}\n`;
	});
	const named = [...new Set(promises.flatMap(({ rules: ids }) => ids))].sort(byId);
	const proofs = named.map((id) => {
		const { text = "", tests = [] } = rules.get(id) ?? {};
		return `| ${id} | ${text.replaceAll("|", "\\|")} | ${tests.map((file) => `\`${file}\``).join(", ")} |`;
	});
	return `# Every promise, and the test that fails when it breaks

Every sentence of [SECURITY.md](../SECURITY.md) and of [reliability.md](reliability.md) that promises something, with the rules that hold it; below them each rule with the files of its tests, whose names begin with the rule's id.
\`npm run promises\` writes this page. A test fails when a sentence names no rule, when a rule has no test, and when this page is not what the documents say; a test that came later may be missing in the last column.

${promises.length} promises, ${named.length} rules.

${tables.join("\n")}
## The rules and their tests

| rule | says | tests |
| --- | --- | --- |
${proofs.join("\n")}
`;
}

const byId = (a: string, b: string) => a.slice(0, 2).localeCompare(b.slice(0, 2)) || Number(a.slice(2)) - Number(b.slice(2));
