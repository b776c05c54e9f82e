import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { diffText } from "../packages/protocol/src/diff/hunks.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { interleave, timed } from "./support/pairs.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

const LINES = 10_000;
const run = promisify(execFile);

/** The same in every run. */
function shuffled(lines: readonly string[]): string[] {
	let state = 1;
	const below = (limit: number) => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
		return (state >>> 8) % limit;
	};
	const list = [...lines];
	for (let at = list.length - 1; at > 0; at--) {
		const other = below(at + 1);
		[list[at], list[other]] = [list[other] ?? "", list[at] ?? ""];
	}
	return list;
}

const before = Array.from({ length: LINES }, (_, at) => `\tconst value${at} = compute(${at % 97}, "${at}");\n`);
const CASES: readonly { name: string; after: readonly string[]; ms: number }[] = [
	{ name: "1 % changed", after: before.map((line, at) => (at % 100 === 50 ? line.replace("compute", "measure") : line)), ms: 100 },
	{ name: "all different", after: before.map((line) => line.replace("const", "let")), ms: 100 },
	{ name: "shuffled", after: shuffled(before), ms: 1_500 },
];

/** Hunks of ten thousand lines, beside `git diff` with the start of its process. */
export const benchmark: Benchmark = {
	name: "changes-diff",
	run: ({ quick }) =>
		withScratch(async (folder) => {
			const rows = [];
			writeFileSync(join(folder, "before"), before.join(""));
			for (const { name, after, ms } of CASES) {
				writeFileSync(join(folder, "after"), after.join(""));
				const pairs = await interleave(quick ? 2 : 9, {
					limit: () => timed(() => run("git", ["diff", "--no-index", "--stat", "before", "after"], { cwd: folder }).catch(() => undefined)),
					ours: () => timed(() => diffText(before.join(""), after.join(""))),
				});
				rows.push(row({ name: `hunks of ${LINES.toLocaleString("en-US")} lines, ${name}`, unit: "ms", ...pairs, goal: atMost(ms), quick }));
			}
			return { rows };
		}),
};
