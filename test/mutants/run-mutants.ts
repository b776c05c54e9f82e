import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree } from "./copy-tree.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";
import { mutationReport, type Played, raiseFloor, readReport, scoreOf, type Verdict } from "./report.ts";
import { byRoom } from "./rooms.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = join(ROOT, "docs", "mutation.md");
const FLOOR = join(ROOT, "test", "mutants", "floor.json");
/** A mutant may make a test wait for ever. All tests together, before any mutant, take longer. */
const LIMIT_MS = 180_000;
const ALL_LIMIT_MS = 1_800_000;

const HELP = `npm run mutants -- [options]

Breaks the product in every way that test/mutants lists, one at a time and in a copy, and runs the tests that must notice.

  --only TEXT    only mutants whose name or file holds this; may be said several times
  --at-once N    so many at the same time, each in a copy of its own (default 2)
  --docs         writes what was played into docs/mutation.md, and raises the floor of the rooms
  --help         this text`;

const { values } = parseArgs({
	options: {
		only: { type: "string", multiple: true },
		"at-once": { type: "string", default: "2" },
		docs: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});
if (values.help) console.log(HELP);
else process.exitCode = await main(values.only, Math.max(1, Number(values["at-once"]) || 1), values.docs);

async function main(only: readonly string[] | undefined, atOnce: number, docs: boolean): Promise<number> {
	const begunAt = Date.now();
	const day = new Date().toISOString().slice(0, 10);
	const chosen = MUTANTS.filter(({ name, file }) => only === undefined || only.some((text) => `${name} ${file}`.includes(text)));
	const copies = Array.from({ length: Math.min(atOnce, chosen.length) }, () => mkdtempSync(join(tmpdir(), "rightseat-mutants-")));
	const [first] = copies;
	if (first === undefined) {
		console.error(`No mutant has ${only?.join(" or ")} in its name or file.`);
		return 2;
	}
	try {
		for (const copy of copies) copyTree(ROOT, copy);
		// A test that fails anyway would count every mutant as noticed.
		const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
		if ((await runTests(first, all, { stdio: "inherit", limitMs: ALL_LIMIT_MS })) !== "passed") {
			console.error("The tests above do not pass without any mutant.");
			return 1;
		}
		const played = await judgeAll(copies, chosen, day);
		const survivors = [...played.values()].filter(({ verdict }) => verdict === "survived").length;
		const minutes = Math.round((Date.now() - begunAt) / 60_000);
		console.log(`${chosen.length - survivors} of ${chosen.length} mutants noticed, ${survivors} survived, ${minutes} min`);
		const whole = `${day}, ${chosen.length} mutants in ${minutes} min, ${atOnce} at once on ${availableParallelism()} cores, Node ${process.version}.`;
		if (docs) publish(played, only === undefined ? whole : undefined);
		return survivors === 0 ? 0 : 1;
	} finally {
		for (const copy of copies) rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** Each copy takes the next mutant when it has judged one. */
async function judgeAll(copies: readonly string[], chosen: readonly Mutant[], day: string): Promise<Map<string, Played>> {
	const played = new Map<string, Played>();
	const left = chosen.values();
	await Promise.all(
		copies.map(async (copy) => {
			for (const mutant of left) {
				const verdict = await judge(copy, mutant);
				played.set(mutant.name, { verdict, day });
				console.log(`${verdict.padEnd(9)} ${mutant.name}`);
			}
		}),
	);
	return played;
}

/** What was not played now stays as the page has it. */
function publish(played: ReadonlyMap<string, Played>, whole: string | undefined): void {
	const before = readReport(readFileSync(PAGE, "utf8"));
	const all = new Map([...before.played, ...played]);
	writeFileSync(PAGE, mutationReport(MUTANTS, all, whole ?? before.whole));
	const scores = new Map([...byRoom(MUTANTS)].map(([room, mutants]) => [room, scoreOf(mutants, all)]));
	const floor = raiseFloor(JSON.parse(readFileSync(FLOOR, "utf8")), scores);
	writeFileSync(FLOOR, `${JSON.stringify(floor, undefined, "\t")}\n`);
}

async function judge(copy: string, { file, search, replace, tests, rule }: Mutant): Promise<Verdict> {
	const path = join(copy, file);
	const original = readFileSync(path, "utf8");
	if (original.split(search).length !== 2) throw new Error(`${file} does not hold this exactly once: ${search}`);
	writeFileSync(
		path,
		original.replace(search, () => replace),
	);
	try {
		const outcome = await runTests(copy, tests, { rule });
		return outcome === "passed" ? "survived" : outcome === "failed" ? "noticed" : "hung";
	} finally {
		writeFileSync(path, original);
	}
}

function runTests(
	cwd: string,
	tests: readonly string[],
	{ stdio = "ignore", limitMs = LIMIT_MS, rule }: { stdio?: "ignore" | "inherit"; limitMs?: number; rule?: string | undefined } = {},
): Promise<"passed" | "failed" | "late"> {
	const only = rule === undefined ? [] : ["-t", `\\[${rule}\\]`];
	const args = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", "--project", "unit", "--project", "integration", ...only, ...tests];
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
