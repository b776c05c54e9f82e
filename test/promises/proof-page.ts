import type { Proof } from "./proofs.ts";

/** docs/proof.md. `read` gives the text of a page, undefined where there is none yet. */
export function proofPage(proofs: readonly Proof[], read: (page: string) => string | undefined): string {
	const rows = proofs.flatMap((proof) => {
		const page = read(proof.page);
		if (page === undefined) return [];
		const link = `[${proof.page.replace("docs/", "")}](${proof.page.replace("docs/", "")})`;
		return [
			`| **${proof.name}** | ${proof.shows} | \`${proof.command}\` | ${proof.takes} | ${proof.result(page) ?? "none yet"} | ${link} |`,
		];
	});
	return `# Proof

Rightseat claims that nothing shown is lost, nothing runs twice, everyone sees the same, and that undo harms nobody. You need not believe it: each row below is one command that tries to show the opposite, on your machine, with nothing but this repository, Node 20.19 and git. It ends with 0 only
if it failed to.

| proof | shows | command | takes | last published result | page |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

The times are for two cores that do little else.

## Why it cannot fool you easily

* A promise without a test is a failing test: the two documents that promise something are split into sentences, and each has to name a rule that a test cites ([promises.md](promises.md)).
* A test that cannot fail is found: each mutant breaks one line on which a promise hangs, and counts only if a test that passed before fails with it. No room may have fewer of them, or a lower score, than it ever had ([mutation.md](mutation.md)).
* The examiners are examined: servers that say nothing, too late or something else, pages that lose or double a row, and bugs that somebody could write are given to the fault suites, which must find them (\`[FT8]\`, \`[FT30]\`, \`[FT41]\`, \`npm run faults -- --fleet --mutants\`).
* A random round that fails prints its seed, and the seed plays it again.
* Tables are written by the command that they are about, with the day and the versions; tests compare them with the lists that they come from, and this page with those tables.
* What was not played says so in its row, and counts as nothing. What is not promised is written down as well ([SECURITY.md](../SECURITY.md#what-we-do-not-promise)).
`;
}
