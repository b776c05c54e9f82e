import { type ProofCase, rulesOf } from "./proof-case.ts";

/** What a run of all cases came to. */
export interface CasesRun {
	/** The day, the machine and the versions, in words. */
	played: string;
	/** By the number of the case. */
	holds: ReadonlyMap<number, boolean>;
}

/** The cases as Markdown, with the run before them. */
export function casesTable(cases: readonly ProofCase[], { played, holds }: CasesRun): string {
	const kept = cases.filter(({ number }) => holds.get(number) === true).length;
	const rows = cases.map((one) => {
		const files = [...new Set(one.tests.map(({ file }) => file))].map((file) => `\`${file.slice(file.lastIndexOf("/") + 1)}\``);
		const word = holds.get(one.number) === true ? "yes" : "**no**";
		return `| ${one.number} | ${one.what} | ${one.outcome} | ${word} | ${rulesOf(one).join(", ")} | ${files.join(", ")} |`;
	});
	return [
		`${kept} of ${cases.length} hold. Played ${played}`,
		"",
		"| # | case | what becomes of it | holds | rule | test |",
		"| --- | --- | --- | --- | --- | --- |",
		...rows,
	].join("\n");
}

/** The document with this text between its two marks. */
export function betweenMarks(document: string, name: string, text: string): string {
	const [begin, end] = [`<!-- ${name}: written by a command -->`, `<!-- end of ${name} -->`];
	const [from, to] = [document.indexOf(begin), document.indexOf(end)];
	return from < 0 || to < from ? document : `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`;
}

/** What stands between the two marks. */
export function readBetweenMarks(document: string, name: string): string {
	return new RegExp(`<!-- ${name}: written by a command -->\\n([\\s\\S]*?)\\n<!-- end of ${name} -->`).exec(document)?.[1] ?? "";
}
