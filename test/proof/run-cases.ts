import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, release, type } from "node:os";
import { join } from "node:path";
import { AGENT_CASES } from "./agent-cases.ts";
import { betweenMarks, casesTable } from "./cases-table.ts";
import { playCases } from "./play-cases.ts";
import type { ProofCase } from "./proof-case.ts";
import { UNDO_CASES } from "./undo-cases.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LISTS: Readonly<Record<string, { cases: readonly ProofCase[]; page: string; mark: string }>> = {
	undo: { cases: UNDO_CASES, page: "docs/undo.md", mark: "table of the forty cases" },
	agents: { cases: AGENT_CASES, page: "docs/agents.md", mark: "table of misbehaviours" },
};

const USAGE = `Plays every case of the list, and says of each whether it holds.
  --docs  writes the table of the list into its page
  --help  this text`;

const [name = "", ...options] = process.argv.slice(2);
const list = LISTS[name];
if (list === undefined) throw new Error(`Say which list: ${Object.keys(LISTS).join(" or ")}.`);
const isHelp = options.includes("--help");
const unknown = options.find((option) => option !== "--docs" && option !== "--help");
if (isHelp || unknown !== undefined) {
	if (unknown !== undefined) console.error(`There is no option ${unknown}.`);
	console.log(USAGE);
	process.exit(isHelp ? 0 : 2);
}
const holds = await playCases(list.cases);
for (const { number, what } of list.cases)
	console.log(`${holds.get(number) === true ? "holds" : "FAILS"} ${String(number).padStart(2)} ${what}`);
const failed = list.cases.filter(({ number }) => holds.get(number) !== true).length;
console.log(`${list.cases.length - failed} of ${list.cases.length} cases hold`);
if (options.includes("--docs")) {
	const git = execFileSync("git", ["--version"], { encoding: "utf8" }).trim();
	const day = new Date().toISOString().slice(0, 10);
	const played = `${day} with Node ${process.version}, ${git}, ${type()} ${release().replace(/-.*/, "")}, on ${availableParallelism()} cores. Nothing in it is random.`;
	const page = join(ROOT, list.page);
	writeFileSync(page, betweenMarks(readFileSync(page, "utf8"), list.mark, casesTable(list.cases, { played, holds })));
}
process.exitCode = failed === 0 ? 0 : 1;
