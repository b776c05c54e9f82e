import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import type { Benchmark } from "./support/benchmark.ts";
import { interleave, timed } from "./support/pairs.ts";
import { treeRssMb } from "./support/processes.ts";
import { atMost, ratio, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { withShell } from "./support/shell-bed.ts";

const LINE = "\u001b[32mok\u001b[0m  a line of some build that says more than anybody reads 0123456789 abcdefghij\n";
const SAMPLE_MS = 20;

/** A flood of output: cleaned, bounded and spilled, against a program that only counts the bytes. */
export const benchmark: Benchmark = {
	name: "shell-output",
	run: ({ quick }) =>
		withScratch((home) =>
			withShell(home, async ({ bash }) => {
				const megabytes = quick ? 20 : 100;
				const file = await writeLines(join(home, "output.txt"), megabytes * 1_000_000);
				const growth: number[] = [];
				const before = treeRssMb(process.pid) ?? 0;
				const pairs = await interleave(quick ? 2 : 7, {
					limit: () => timed(() => drain(file)),
					async ours() {
						const memory = watchMemory(before);
						const ms = await timed(() => bash(`cat ${file}`));
						growth.push(memory.end());
						return ms;
					},
				});
				const name = `${megabytes} MB of output through Bash`;
				return {
					rows: [
						row({ name: `${name}, against a bare drain`, unit: "ms", ...pairs, goal: ratio(10), quick }),
						row({ name: `${name}, memory growth of server and shell process`, unit: "MB", ours: growth, goal: atMost(64), quick }),
					],
				};
			}),
		),
};

async function writeLines(file: string, bytes: number): Promise<string> {
	const stream = createWriteStream(file);
	const block = LINE.repeat(10_000);
	for (let written = 0; written < bytes; written += block.length)
		if (!stream.write(block)) await new Promise<void>((resolve) => stream.once("drain", () => resolve()));
	stream.end();
	await finished(stream);
	return file;
}

const drain = (file: string) =>
	new Promise<number>((resolve, reject) => {
		const child = spawn("bash", ["-c", `cat ${file}`], { stdio: ["ignore", "pipe", "ignore"] });
		let bytes = 0;
		child.stdout.on("data", (chunk: Buffer) => {
			bytes += chunk.length;
		});
		child.on("error", reject);
		child.on("close", () => resolve(bytes));
	});

/** Largest resident memory of this process and its children, over what it was before the first flood. */
function watchMemory(before: number) {
	let most = before;
	const timer = setInterval(() => {
		most = Math.max(most, treeRssMb(process.pid) ?? 0);
	}, SAMPLE_MS);
	return {
		end() {
			clearInterval(timer);
			return Math.max(most, treeRssMb(process.pid) ?? 0) - before;
		},
	};
}
