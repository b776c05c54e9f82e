import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { MEASURES, type Measure, type Sample, slopesOf } from "../faults/slopes.ts";
import { look } from "../faults/soak-measures.ts";
import { readSoakOptions } from "../faults/soak-options.ts";
import { soakSummary } from "../faults/soak-report.ts";

const FLAT: Record<Measure, number> = {
	...{
		serverMegabytes: 120,
		serverDescriptors: 50,
		runtimeMegabytes: 400,
		runtimeDescriptors: 60,
		shellMegabytes: 70,
		shellDescriptors: 40,
	},
	...{ recorderMegabytes: 90, recorderDescriptors: 30, processes: 6, databaseMegabytes: 20, walMegabytes: 4, keptMegabytes: 200 },
	otherMegabytes: 30,
};
const JUDGED_BY_BOUND: Measure[] = ["runtimeMegabytes", "recorderMegabytes", "recorderDescriptors", "walMegabytes", "keptMegabytes"];
const PIDS = { server: 1, runtime: 2, shell: 3, recorder: 4 };

/** A soak of this many minutes in which everything stands still but what is given. */
const soak = (
	minutes: number,
	change: (minute: number) => Partial<Sample["values"]>,
	pids: (minute: number) => Sample["pids"] = () => PIDS,
) => Array.from({ length: minutes }, (_, minute): Sample => ({ minute, pids: pids(minute), values: { ...FLAT, ...change(minute) } }));
const bad = (samples: Sample[]) => slopesOf(samples).flatMap(({ name, isGood }) => (isGood ? [] : [name]));

test("[FT5] a soak in which nothing rises is good, and every measure that rises is told, whatever process it belongs to", () => {
	expect(bad(soak(120, (minute) => ({ serverMegabytes: 120 + (minute % 5) })))).toEqual([]);
	const judgedBySlope = MEASURES.filter((name) => !JUDGED_BY_BOUND.includes(name));
	for (const name of judgedBySlope) expect(bad(soak(120, (minute) => ({ [name]: FLAT[name] + 2 * minute })))).toEqual([name]);
});

test("[FT5] what has a bound of its own may rise up to it, and one look above it is told", () => {
	expect(bad(soak(120, (minute) => ({ runtimeMegabytes: 300 + (minute % 60) * 12 })))).toEqual([]);
	const high = { runtimeMegabytes: 1_300, recorderMegabytes: 310, recorderDescriptors: 210, walMegabytes: 200, keptMegabytes: 600 };
	expect(bad(soak(120, (minute) => (minute === 7 ? high : {})))).toEqual(JUDGED_BY_BOUND);
});

test("[FT5] a process that was started again hides no leak: only looks at the same one are compared", () => {
	const leak = (minute: number) => ({ shellMegabytes: 70 + (minute % 30) });
	expect(bad(soak(120, leak, (minute) => ({ ...PIDS, shell: 3 + Math.floor(minute / 30) })))).toEqual(["shellMegabytes"]);
	const steps = (minute: number) => ({ shellMegabytes: 70 + 20 * Math.floor(minute / 30) });
	expect(bad(soak(120, steps, (minute) => ({ ...PIDS, shell: 3 + Math.floor(minute / 30) })))).toEqual([]);
});

test("[FT10] what a soak did while warming up, and a few odd looks, do not count as a rise; a part that was never there does", () => {
	const samples = soak(60, (minute) => ({ serverMegabytes: Math.min(150, 100 + 2 * minute) + (minute === 58 ? 40 : 0) }));
	expect(bad(samples)).toEqual([]);
	expect(bad(soak(60, (minute) => (minute % 2 === 0 ? { recorderMegabytes: undefined } : {})))).toEqual([]);
	expect(bad(soak(60, () => ({ recorderMegabytes: undefined })))).toEqual(["recorderMegabytes"]);
	const text = soakSummary({
		...{ hours: 1, seed: 2, begunAt: "2026-01-02T03:04:05Z", samples, slopes: slopesOf(samples) },
		rounds: [
			{ fault: "flood", findings: ["lost"] },
			{ fault: "kill-shell", findings: [] },
		],
	});
	expect(text).toContain("--hours 1 --seed 2 --docs`, begun on 2026-01-02, on");
	expect(text).toContain("2 rounds of one fault each (2 kinds) in 59 minutes, at most one a minute. Rounds with a broken promise: 1.");
	expect(text).toContain("The first 30 minutes are warming up; growth is that of the 30 looks after it.");
	expect(text).toContain("* flood: lost");
	expect(text).toContain("| server, MB | 150 | 150 | 190 | 0.0 | 0.0 | 20 an hour, or 12 in all (noise) | flat |");
	expect(text).toContain("| agent runtime, MB | 400 | 400 | 400 | 0.0 | 0.0 | at most 1200 | below |");
});

test("[FT10] a machine that is busy has fewer looks, further apart, and the same judgement", () => {
	const busy = soak(120, (minute) => ({ serverDescriptors: 50 + minute })).filter(({ minute }) => minute % 7 === 0);
	expect(bad(busy)).toEqual(["serverDescriptors"]);
	expect(bad(busy.map((sample) => ({ ...sample, values: FLAT })))).toEqual([]);
});

test("[FT10] a soak refuses a time that is none", () => {
	expect(readSoakOptions(["--hours", "0.5"])).toMatchObject({ hours: 0.5, seed: 1, docs: false });
	expect(() => readSoakOptions(["--hours", "soon"])).toThrow("--hours takes a number above 0.");
});

const children: ChildProcess[] = [];
const folders: string[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("[FT10] a look takes the size of every process by its kind, and the database, its write-ahead file and kept outputs apart", async () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-look-"));
	folders.push(home);
	mkdirSync(join(home, "shell"));
	const fill = (name: string, megabytes: number) => writeFileSync(join(home, name), Buffer.alloc(megabytes * 2 ** 20));
	for (const [name, size] of [
		["rightseat.db", 3],
		["rightseat.db-wal", 2],
		["shell/kept", 5],
		["other", 1],
	] as const)
		fill(name, size);
	for (const name of ["shelld.js", "trackerd.js"]) {
		const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1e6)", name], {
			stdio: ["ignore", "pipe", "ignore"],
		});
		children.push(child);
		await once(child.stdout, "data");
	}
	const { pids, values } = look(4, { pid: process.pid, home });
	expect(pids).toEqual({ server: process.pid, runtime: undefined, shell: children[0]?.pid, recorder: children[1]?.pid });
	expect(values).toMatchObject({ databaseMegabytes: 3, walMegabytes: 2, keptMegabytes: 5, otherMegabytes: 1, runtimeMegabytes: undefined });
	expect(values.shellMegabytes).toBeGreaterThan(10);
	expect(values.recorderDescriptors).toBeGreaterThan(3);
	expect(values.processes).toBeGreaterThanOrEqual(3);
	expect(look(5, { pid: process.pid, home: join(home, "nowhere") }).values).toMatchObject({ databaseMegabytes: 0, otherMegabytes: 0 });
});
