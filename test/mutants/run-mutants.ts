import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree } from "./copy-tree.ts";
import type { Mutant } from "./mutant.ts";
import { AREAS, MUTANTS } from "./mutants.ts";
import { mutationReport, type Verdict } from "./report.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** A mutant may make a test wait for ever. All tests together, before any mutant, take longer. */
const LIMIT_MS = 180_000;
const ALL_LIMIT_MS = 900_000;

const HELP = `npm run mutants -- [options]

Breaks the product in every way that test/mutants lists, one at a time and in a copy, and runs the tests that must notice.

  --only TEXT   only mutants whose name or file holds this
  --docs        writes the outcome into docs/mutation.md
  --help        this text`;

const { values } = parseArgs({
	options: { only: { type: "string" }, docs: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
if (values.help) console.log(HELP);
else process.exitCode = await main(values.only, values.docs);

async function main(only: string | undefined, docs: boolean): Promise<number> {
	const chosen = MUTANTS.filter(({ name, file }) => only === undefined || `${name} ${file}`.includes(only));
	const copy = mkdtempSync(join(tmpdir(), "rightseat-mutants-"));
	try {
		copyTree(ROOT, copy);
		// A test that fails anyway would count every mutant as noticed.
		const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
		if ((await runTests(copy, all, { stdio: "inherit", limitMs: ALL_LIMIT_MS })) !== "passed") {
			console.error("The tests above do not pass without any mutant.");
			return 1;
		}
		const verdicts = new Map<string, Verdict>();
		for (const mutant of chosen) {
			const verdict = await judge(copy, mutant);
			verdicts.set(mutant.name, verdict);
			console.log(`${verdict.padEnd(9)} ${mutant.name}`);
		}
		const survivors = [...verdicts.values()].filter((verdict) => verdict === "survived").length;
		console.log(`${chosen.length - survivors} of ${chosen.length} mutants noticed, ${survivors} survived`);
		if (docs && only === undefined) writeFileSync(join(ROOT, "docs", "mutation.md"), mutationReport(AREAS, verdicts));
		return survivors === 0 ? 0 : 1;
	} finally {
		rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function judge(copy: string, { file, search, replace, tests }: Mutant): Promise<Verdict> {
	const path = join(copy, file);
	const original = readFileSync(path, "utf8");
	if (original.split(search).length !== 2) throw new Error(`${file} does not hold this exactly once: ${search}`);
	writeFileSync(
		path,
		original.replace(search, () => replace),
	);
	try {
		const outcome = await runTests(copy, tests);
		return outcome === "passed" ? "survived" : outcome === "failed" ? "noticed" : "hung";
	} finally {
		writeFileSync(path, original);
	}
}

function runTests(
	cwd: string,
	tests: readonly string[],
	{ stdio = "ignore", limitMs = LIMIT_MS }: { stdio?: "ignore" | "inherit"; limitMs?: number } = {},
): Promise<"passed" | "failed" | "late"> {
	const args = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", "--project", "unit", "--project", "integration", ...tests];
	// The copy is not built, and a built server would not be the mutant.
	const env = { ...process.env, RIGHTSEAT_TEST_BUILT: "0" };
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, args, { cwd, env, stdio, detached: true });
		const timer = setTimeout(() => {
			resolve("late");
			if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
		}, limitMs);
		child.on("error", reject);
		child.on("exit", (code) => {
			clearTimeout(timer);
			resolve(code === 0 ? "passed" : "failed");
		});
	});
}
