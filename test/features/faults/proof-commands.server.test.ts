import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../../../scripts/lib/places.mjs";

const folder = mkdtempSync(join(tmpdir(), "rightseat-proofs-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `npm run NAME -- …` starts, without npm, which would cost a quarter of a second each time. */
function run(name: string, args: string[], env: NodeJS.ProcessEnv = {}) {
	const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
	const [program, ...given] = String(scripts[name]).split(" ");
	expect(program).toBe("node");
	const options = { cwd: ROOT, encoding: "utf8", timeout: 240_000, env: { ...process.env, ...env } } as const;
	const { status, stdout, stderr } = spawnSync(process.execPath, [...given, ...args], options);
	return { status, told: `${stdout}${stderr}` };
}

const LIMIT = { timeout: 300_000 };

test("[AR477] npm run faults plays a round by its name", LIMIT, () => {
	const { status, told } = run("faults", ["--replay", "model-cut@9300"]);
	expect(told).toContain("1 passed, 0 failed");
	expect(status).toBe(0);
});

test("[AR477] npm run soak plays a round and looks once, however short it is", LIMIT, () => {
	const samples = join(folder, "soak.jsonl");
	const { status, told } = run("soak", ["--hours", "0.0001", "--samples", samples]);
	expect(told).toMatch(/ passed, 0 failed$/m);
	expect(JSON.parse(readFileSync(samples, "utf8"))).toMatchObject({ findings: [], values: { processes: expect.any(Number) } });
	expect(status).toBe(0);
});

test("[AR477] npm run simulate plays rounds in a process of their own", LIMIT, () => {
	const { status, told } = run("simulate", ["--rounds", "2", "--batch", "1", "--workers", "1"]);
	expect(told).toContain("No promise was broken, seed 1.");
	expect(status).toBe(0);
});

test("[AR477] npm run undo-proof plays a round and kills a process", LIMIT, () => {
	const { status, told } = run("undo-proof", ["--rounds", "1", "--killed", "1"]);
	expect(told).toContain("No violation in 1 rounds, seed 1.");
	expect(status).toBe(0);
});

test("[AR477] npm run bench measures what it finds", LIMIT, () => {
	writeFileSync(join(folder, "package.json"), '{"type":"module"}');
	const row = { name: "n", unit: "ms", ours: 1, limit: 1, ratio: 1, goal: { kind: "ratio", value: 1 }, pass: true, noise: 0, rounds: 1 };
	const benchmark = `export const benchmark = { name: "one", async run() { return { rows: [${JSON.stringify(row)}] }; } };`;
	writeFileSync(join(folder, "one.ts"), benchmark);
	const { status, told } = run("bench", ["--quick"], { RIGHTSEAT_BENCH_FOLDER: folder });
	expect(told).toContain("benchmark  ours  limit");
	expect(status).toBe(0);
});

test.each([
	["bench", []],
	["undo-proof", []],
	["undo-proof", ["--cases"]],
	["test:agents", ["--scripted"]],
])("[AR480] npm run %s -- %j --help says its options and plays nothing", LIMIT, (name, args) => {
	const { status, told } = run(name, [...args, "--help"]);
	expect(told).toMatch(/^ {2}--help +this text$/m);
	expect(told).not.toMatch(/\d (?:of|passed)|No violation/);
	expect(status).toBe(0);
});

test.each([
	["bench", ["--fast"], "Usage: npm run bench"],
	["undo-proof", ["--cases", "--all"], "There is no option --all."],
	["mutants", ["--only", "nowhere to be found"], "No mutant has nowhere to be found in its name or file."],
	["faults", ["--rounds", "0"], "--rounds takes a whole number above 0."],
	["simulate", ["--mutant", "nowhere to be found"], "No mutant holds nowhere to be found."],
])("[AR480] npm run %s -- %j ends with 2, says why, and plays nothing", LIMIT, (name, args, why) => {
	const { status, told } = run(name, args);
	expect(told).toContain(why);
	expect(told).not.toContain("promise was broken");
	expect(status).toBe(2);
});
