import type { Benchmark } from "./support/benchmark.ts";
import { interleave } from "./support/pairs.ts";
import { over, type Row, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { type ShellBed, withShell } from "./support/shell-bed.ts";

/** One command of each kind that could hold us: a start, a flood, many small pieces, a large result, a background job. */
const COMMANDS = [
	"true",
	"head -c 20000000 /dev/zero | tr '\\0' x | fold -w 100",
	"for i in $(seq 2000); do echo line $i; done",
	"seq 1 200000",
	"export BIG=$(head -c 100000 /dev/zero | tr '\\0' y)",
];

/** How long the server's event loop stands still while commands run, beside the same time without any. */
export const benchmark: Benchmark = {
	name: "shell-event-loop",
	run: ({ quick }) =>
		withScratch((home) =>
			withShell(home, async (bed) => {
				const rows: Row[] = [await measure("commands", bed, quick)];
				const ballast = fillHeap(quick ? 200 : 1_000);
				rows.push(await measure(`commands, with ${quick ? "200 MB" : "1 GB"} of heap`, bed, quick));
				if (ballast.length === 0) throw new Error("The heap was not filled.");
				return { rows };
			}),
		),
};

async function measure(name: string, { bash }: ShellBed, quick: boolean): Promise<Row> {
	const work = async () => {
		for (const command of COMMANDS) await bash(command);
	};
	let tookMs = 500;
	const pairs = await interleave(quick ? 1 : 9, {
		limit: () => longestHold(() => new Promise((resolve) => setTimeout(resolve, tookMs))),
		async ours() {
			const begin = performance.now();
			const hold = await longestHold(work);
			tookMs = performance.now() - begin;
			return hold;
		},
	});
	return row({ name: `event loop held longest by ${name}`, unit: "ms", ...pairs, goal: over(20), quick });
}

/** Longest time in which the event loop did not come round; it is kept turning, so every pass counts. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let last = performance.now();
	let going = true;
	const turn = () => {
		const now = performance.now();
		longest = Math.max(longest, now - last);
		last = now;
		if (going) setTimeout(turn, 1);
	};
	turn();
	await work();
	going = false;
	return longest;
}

/** Live objects, as a server has them that serves many; collecting them is what takes long. */
function fillHeap(megabytes: number): object[] {
	const kept: object[] = [];
	while (process.memoryUsage().heapUsed < megabytes * 2 ** 20)
		for (let index = 0; index < 10_000; index += 1) kept.push({ index, text: `some text ${index} of a message`, list: [index, index + 1] });
	return kept;
}
