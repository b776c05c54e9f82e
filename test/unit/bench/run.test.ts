import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeDocs, writeScaleDocs } from "../../../bench/support/docs.ts";
import { describeMachine } from "../../../bench/support/machine.ts";
import { plot } from "../../../bench/support/plot.ts";
import { exitCodeOf, type Results, readResults } from "../../../bench/support/results.ts";
import { row } from "../../../bench/support/row.ts";
import { CACHE } from "../../../scripts/lib/places.mjs";
import { ROOT } from "../support/source-files.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-bench-test-"));
	writeFileSync(join(folder, "package.json"), '{"type":"module"}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a benchmark into the folder; `body` is its `run`. */
function put(name: string, body: string, more = "") {
	writeFileSync(join(folder, `${name}.ts`), `export const benchmark = { name: "${name}", ${more} async run({ quick }) { ${body} } };`);
}
const rowText = (pass: boolean) =>
	`{ name: "n", unit: "ms", ours: 1, limit: 1, ratio: 1, goal: { kind: "ratio", value: 1 }, pass: ${pass}, noise: 0, rounds: 1 }`;

function bench(...args: string[]) {
	const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "bench/support/run-benchmarks.ts", ...args], {
		cwd: ROOT,
		encoding: "utf8",
		env: { ...process.env, RIGHTSEAT_BENCH_FOLDER: folder },
	});
	return { status, stdout };
}
const results = (): Results => readResults(join(folder, "results.json"));

test("[BN7] [BN41] a run prints its table, writes its results in their form and ends with 0 when every goal is met", {
	timeout: 120_000,
}, () => {
	put("one", `return { rows: [${rowText(true)}] };`);
	put("slow", "throw new Error('must not run')", "longOnly: true,");
	put("without", "throw new Error('must not run')", "canRun: false,");
	const { status, stdout } = bench("--quick");
	expect(stdout).toContain("benchmark  ours  limit");
	expect(results()).toMatchObject({
		version: 1,
		quick: true,
		machine: { node: process.version },
		benchmarks: [{ name: "one", rows: [{ name: "n" }] }],
	});
	expect(status).toBe(0);
});

test("[BN51] with --profile only what can say where the time goes is run, and no row is expected of it", { timeout: 120_000 }, () => {
	put("one", "throw new Error('must not run')");
	put(
		"told",
		`return { rows: [], profiles: [{ title: "a token", unit: "µs", lines: [{ what: "commits", value: 3 }] }] };`,
		"profiled: true,",
	);
	const { status, stdout } = bench("--profile", "o");
	expect(stdout.split("\n").map((line) => line.trim())).toContain("commits   3   100.0 %");
	expect(results().benchmarks).toMatchObject([{ name: "told", rows: [], profiles: [{ title: "a token" }] }]);
	expect(status).toBe(0);
});

test("[BN8] a missed goal ends the run with 1, and so does a benchmark that fails; the others still run", { timeout: 120_000 }, () => {
	put("a-missed", `return { rows: [${rowText(false)}] };`);
	put("b-broken", "process.exit(3);");
	put("c-wrong", "return { rows: [{ name: 1 }] };");
	put("d-fine", `return { rows: [${rowText(true)}] };`);
	expect(bench().status).toBe(1);
	expect(results().benchmarks).toMatchObject([
		{ name: "a-missed", rows: [{ pass: false }] },
		{ name: "b-broken", failure: "it ended without a result.", rows: [] },
		{ name: "c-wrong", failure: expect.stringContaining("not of the right form"), rows: [] },
		{ name: "d-fine", rows: [{ pass: true }] },
	]);
	const missed = { ...row({ name: "n", unit: "ms", ours: [1], quick: false }), pass: false };
	expect(exitCodeOf([{ name: "one", seconds: 1, rows: [missed] }])).toBe(1);
	expect(exitCodeOf([])).toBe(1);
});

test("[BN11] in the short form a benchmark that missed is measured once more before it counts", { timeout: 120_000 }, () => {
	const seen = JSON.stringify(join(folder, "seen"));
	const file = `const { existsSync, writeFileSync } = await import("node:fs"); const pass = existsSync(${seen}); writeFileSync(${seen}, "");`;
	put("late", `${file} return { rows: [{ ...${rowText(false)}, pass }] };`);
	expect(bench("--quick").status).toBe(0);
	rmSync(join(folder, "seen"));
	expect(bench().status).toBe(1);
});

test("[BN20] in the short form three are measured at a time, and what missed beside another one is measured once more, alone", {
	timeout: 120_000,
}, () => {
	const log = JSON.stringify(join(folder, "log"));
	// Each waits until all have begun, which two at a time never have.
	const body = (name: string, pass: string) => `const { appendFileSync, readFileSync } = await import("node:fs");
		const before = () => readFileSync(${log}, "utf8");
		appendFileSync(${log}, "${name} begins\\n");
		const again = before().split("${name} begins").length > 2;
		while (!again && !["a", "b", "c"].every((each) => before().includes(each + " begins"))) await new Promise((resolve) => setTimeout(resolve, 10));
		appendFileSync(${log}, "${name} ends\\n");
		return { rows: [{ ...${rowText(true)}, pass: ${pass} }] };`;
	put("a", body("a", "again"));
	put("b", body("b", "true"));
	put("c", body("c", "true"));
	expect(bench("--quick").status).toBe(0);
	expect(readFileSync(join(folder, "log"), "utf8").trim().split("\n").slice(-2)).toEqual(["a begins", "a ends"]);
});

test("[BN6] names that fit nothing and unknown arguments end the run with 2", { timeout: 120_000 }, () => {
	put("one", "throw new Error('must not run')");
	expect([bench("--only", "nothing").status, bench("--fast").status]).toEqual([2, 2]);
});

test("[BN30] a benchmark runs from one bundle, knows the place of its source there, and nothing of the bundle is left", {
	timeout: 120_000,
}, () => {
	const told = JSON.stringify(join(folder, "told"));
	put(
		"placed",
		`const { writeFileSync } = await import("node:fs"); const { program } = await import("./program.mjs");
		writeFileSync(${told}, JSON.stringify([import.meta.dirname, import.meta.url, program, process.execArgv])); return { rows: [${rowText(true)}] };`,
	);
	writeFileSync(join(folder, "program.mjs"), "export const program = process.argv[1];");
	expect(bench("--quick").status).toBe(0);
	const [place, url, program, execArgv]: [string, string, string, string[]] = JSON.parse(readFileSync(join(folder, "told"), "utf8"));
	expect([place, url]).toEqual([folder, pathToFileURL(join(folder, "placed.ts")).href]);
	expect(program.startsWith(join(CACHE, "bench-"))).toBe(true);
	expect(execArgv).not.toContain("tsx");
	expect(existsSync(dirname(program))).toBe(false);
});

test("[BN9] [BN51] the results go into the documentation between two marks, with the machine and a plot of every series", () => {
	const images = join(folder, "images");
	mkdirSync(images);
	const file = join(folder, "performance.md");
	writeFileSync(file, "Before.\n<!-- written by npm run bench -- --docs: begin -->\nold\n<!-- end -->\nAfter.\n");
	const series = {
		name: "growth",
		title: "Cost < size",
		x: "size",
		y: "ms",
		lines: [
			{
				label: "ours",
				points: [
					[1, 1],
					[10, 30],
				] as [number, number][],
			},
		],
	};
	const profile = { title: "a token", unit: "µs", lines: [{ what: "commits", value: 3 }] };
	const benchmarks = [{ name: "one", seconds: 1, rows: [row({ name: "n", unit: "ms", ours: [1], quick: false })], series: [series] }].map(
		(each) => ({ ...each, profiles: [profile] }),
	);
	writeDocs({ version: 1, at: "2026-01-02T03:04:05.000Z", quick: false, machine: describeMachine(), benchmarks }, folder);
	const text = readFileSync(file, "utf8");
	expect(text).toMatch(
		/^Before\.\n[\s\S]*Measured on 2026-01-02 \(long form\)[\s\S]*### one[\s\S]*\| commits \| 3 \| 100.0 % \|[\s\S]*images\/bench-growth\.svg[\s\S]*\nAfter\.\n$/,
	);
	expect(text).not.toContain("old");
	expect(readFileSync(join(images, "bench-growth.svg"), "utf8")).toBe(plot(series));
	expect(plot(series)).toContain("Cost &lt; size");
	writeFileSync(file, "no marks");
	expect(() =>
		writeDocs({ version: 1, at: "2026-01-02T03:04:05.000Z", quick: false, machine: describeMachine(), benchmarks }, folder),
	).toThrow("lost its marks");
});

test("[BN40] what a growing fleet costs goes into docs/scale.md, a column for every number of hosts", () => {
	const file = join(folder, "scale.md");
	writeFileSync(file, "Before.\n<!-- written by npm run bench -- --fleet-scale: begin -->\nold\n<!-- end -->\nAfter.\n");
	const rows = [5, 50].map((hosts) => row({ name: `${hosts} hosts: NATS: busy`, unit: "% of a core", ours: [hosts / 10], quick: false }));
	const benchmarks = [{ name: "fleet-scale", seconds: 1, rows, series: [] }];
	writeScaleDocs({ version: 1, at: "2026-01-02T03:04:05.000Z", quick: false, machine: describeMachine(), benchmarks }, folder);
	const text = readFileSync(file, "utf8");
	expect(text).toContain("|  | 5 hosts | 50 hosts |\n| --- | ---: | ---: |\n| NATS: busy, % of a core | 0.50 | 5 |");
	expect([text.includes("old"), text.endsWith("\nAfter.\n")]).toEqual([false, true]);
});

test("[BN10] every benchmark is a file that exports one of its own name, and is named in the documentation", () => {
	const files = readdirSync(join(ROOT, "bench")).filter((file) => file.endsWith(".ts"));
	const wrong = files.filter((file) => !readFileSync(join(ROOT, "bench", file), "utf8").includes(`name: "${file.slice(0, -3)}"`));
	expect(wrong).toEqual([]);
	const docs = readFileSync(join(ROOT, "docs/performance.md"), "utf8");
	expect(files.filter((file) => !docs.includes(`\`${file.slice(0, -3)}\``))).toEqual([]);
	expect(existsSync(join(ROOT, "docs/performance.md"))).toBe(true);
});
