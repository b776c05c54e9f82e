import { spawn } from "node:child_process";
import type { Benchmark } from "./support/benchmark.ts";
import { interleave, timed } from "./support/pairs.ts";
import { over, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { withShell } from "./support/shell-bed.ts";

/** A short command through the agent's Bash tool, with its state kept, against a bare `bash -c`. */
export const benchmark: Benchmark = {
	name: "shell-call",
	run: ({ quick }) =>
		withScratch((home) =>
			withShell(home, async ({ bash }) => {
				const rounds = quick ? 20 : 200;
				const small = await interleave(rounds, { limit: () => timed(bareBash), ours: () => timed(() => bash("true")) });
				await bash(`for i in $(seq 300); do export "VAR_$i=some value $i"; eval "function fn_$i { echo $i; }"; done`);
				const large = await interleave(rounds, { limit: () => timed(bareBash), ours: () => timed(() => bash("true")) });
				return {
					rows: [
						row({ name: "Bash call of `true`", unit: "ms", ...small, goal: over(8), quick }),
						row({ name: "Bash call with 300 variables and functions kept", unit: "ms", ...large, quick }),
					],
				};
			}),
		),
};

const bareBash = () =>
	new Promise<void>((resolve, reject) => {
		const child = spawn("bash", ["-c", "true"]);
		child.on("error", reject);
		child.on("close", () => resolve());
	});
