import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENT_CASES } from "../proof/agent-cases.ts";
import { betweenMarks, casesTable, readBetweenMarks } from "../proof/cases-table.ts";
import { judgeCases } from "../proof/play-cases.ts";
import type { CaseTest, ProofCase } from "../proof/proof-case.ts";
import { UNDO_CASES } from "../proof/undo-cases.ts";
import { ROOT } from "./support/source-files.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The words of a test's name, and of its row, stand in its file. */
function isWritten({ file, name, row }: CaseTest): boolean {
	if (!existsSync(join(ROOT, file))) return false;
	const text = read(file);
	const words = row?.replace(/^"(.*)"$/, "$1");
	return text.includes(name) && (words === undefined || text.includes(words));
}

const lists: [string, string, readonly ProofCase[], string, number][] = [
	["AR172", "the forty cases of undo", UNDO_CASES, "docs/undo.md", 40],
	["AT12", "misbehaving agents", AGENT_CASES, "docs/agents.md", 40],
];
const MARKS: Readonly<Record<string, string>> = { "docs/undo.md": "table of the forty cases", "docs/agents.md": "table of misbehaviours" };

test.each(lists)("[%s] %s are numbered without gaps, and each has tests that are there", (_rule, _what, cases, _page, count) => {
	expect(cases.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
	const missing = cases.flatMap(({ number, tests }) =>
		tests.length === 0 ? [`${number}`] : tests.filter((one) => !isWritten(one)).map((one) => `${number}: ${one.name} ${one.row ?? ""}`),
	);
	expect(missing).toEqual([]);
});

test.each(lists)("[%s] the published table of %s is that of the list, and every case holds", (_rule, _what, cases, page) => {
	const table = readBetweenMarks(read(page), MARKS[page] ?? "");
	const [, played = ""] = /^\d+ of \d+ hold\. Played (.+)$/m.exec(table) ?? [];
	expect(played).toMatch(/^20\d\d-\d\d-\d\d with Node v\d+/);
	expect(table).toBe(casesTable(cases, { played, holds: new Map(cases.map(({ number }) => [number, true])) }));
});

test("[AR172] [AT12] a case holds only when each of its tests was found and passed", () => {
	const one: ProofCase = { number: 1, what: "w", outcome: "o", tests: [{ file: "a.test.ts", name: "[AC1] x", row: '"die"' }] };
	const judge = (title: string, status: string) =>
		judgeCases([one], { testResults: [{ name: "/x/a.test.ts", assertionResults: [{ title, status }] }] }).get(1);
	expect(judge('[AC1] x "die"', "passed")).toBe(true);
	expect(judge('[AC1] x "die"', "failed")).toBe(false);
	expect(judge('[AC1] x "exit"', "passed")).toBe(false);
	expect(judge("[AC2] other", "passed")).toBe(false);
	expect(judgeCases([{ ...one, tests: [] }], { testResults: [] }).get(1)).toBe(false);
	expect(casesTable([one], { played: "now", holds: new Map([[1, false]]) })).toContain("0 of 1 hold");
});

test("[AR172] [AT12] a table is written between its marks and nowhere else", () => {
	const page = "a\n<!-- t: written by a command -->\nold\n<!-- end of t -->\nb";
	expect(readBetweenMarks(betweenMarks(page, "t", "new"), "t")).toBe("new");
	expect(betweenMarks("no marks", "t", "new")).toBe("no marks");
});
