import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { proofPage } from "../promises/proof-page.ts";
import { PROOFS } from "../promises/proofs.ts";
import { ROOT } from "./support/source-files.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readIfThere = (path: string) => (existsSync(join(ROOT, path)) ? read(path) : undefined);
/** Written by other commands, which do not write this page: a newer result there is no mistake here. */
const ELSEWHERE = ["Faults", "Soak", "Fleet faults", "Simulation", "Speed"];

test("[AR173] every proof is a command of this repository, and its page is there", () => {
	const scripts: Record<string, string> = JSON.parse(read("package.json")).scripts;
	const known = PROOFS.filter(({ page }) => existsSync(join(ROOT, page)));
	expect(known.length).toBeGreaterThanOrEqual(11);
	const names = known.map(({ command }) => /^npm (?:run )?([\w:-]+)/.exec(command)?.[1] ?? "");
	expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
	const proving = ["promises", "mutants", "faults", "soak", "undo-proof", "test:agents", "bench"];
	expect(proving.filter((name) => !names.includes(name))).toEqual([]);
});

test("[AR173] docs/proof.md says of each proof what its page says; `npm run promises` writes it", () => {
	const rowsOf = (page: string) => page.split("\n").filter((line) => line.startsWith("| **"));
	const isOurs = (row: string) => !ELSEWHERE.some((name) => row.startsWith(`| **${name}**`));
	const page = read("docs/proof.md");
	expect(rowsOf(page).filter(isOurs)).toEqual(rowsOf(proofPage(PROOFS, readIfThere)).filter(isOurs));
});

test("[AR173] every published result is found on its page, in the words in which its command wrote it", () => {
	expect(PROOFS.filter(({ page, result }) => result(read(page)) === undefined).map(({ name }) => name)).toEqual([]);
	expect(read("docs/proof.md")).not.toContain("none yet");
});

test("[AR173] a proof whose page tells no result says so, and one without a page has no row", () => {
	const [mutants] = PROOFS.filter(({ name }) => name === "Mutants");
	expect(mutants?.result("nothing")).toBeUndefined();
	const proofs = mutants === undefined ? [] : [mutants];
	expect(proofPage(proofs, () => "nothing")).toContain("none yet");
	expect(proofPage(proofs, () => undefined)).not.toContain("**Mutants**");
});
