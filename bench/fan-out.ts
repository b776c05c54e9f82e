import type { Benchmark } from "./support/benchmark.ts";
import { createPairs } from "./support/pairs.ts";
import { connectReaders } from "./support/readers.ts";
import { type Goal, over, type Row, ratio, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";
import { median } from "./support/statistics.ts";

/** A commit comes before the first reader, whatever their number; only with many is the sending itself the cost. */
const CASES: { readers: number; perSecond: number; age: Goal; cpu?: Goal; longOnly?: boolean }[] = [
	{ readers: 1, perSecond: 50, age: over(4) },
	{ readers: 100, perSecond: 50, age: over(4), longOnly: true },
	{ readers: 1_000, perSecond: 20, age: ratio(1.2), cpu: ratio(1.2) },
];

/** One stream to many readers, against sockets that are given frames made beforehand. */
export const benchmark: Benchmark = {
	name: "fan-out",
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const relays = { ours: await startRelay("ours", directory, 1), limit: await startRelay("bare", directory, 1) };
			const rows: Row[] = [];
			for (const { readers, perSecond, age: ageGoal, cpu: cpuGoal, longOnly } of CASES) {
				if (quick && longOnly) continue;
				const count = quick ? Math.ceil(readers / 4) : readers;
				const sockets = {
					ours: await connectReaders(relays.ours, 1, count),
					limit: await connectReaders(relays.limit, 1, count),
				};
				const [age, cpu] = [createPairs(), createPairs()];
				for (let round = 0; round < (quick ? 2 : 7); round += 1)
					for (const side of ["limit", "ours"] as const) {
						const { cpuMs, tokens } = await relays[side].play({ streams: 1, perSecond, seconds: quick ? 1 : 3 });
						cpu[side].push(cpuMs / tokens);
						age[side].push(median(sockets[side].take()));
					}
				sockets.ours.close();
				sockets.limit.close();
				const name = `one delta to ${count.toLocaleString("en-US")} readers`;
				// Fewer readers hide less of a commit, and a disk that others keep busy is no regression.
				rows.push(row({ name: `${name}, median reader`, unit: "ms", ...age, goal: quick ? over(4) : ageGoal, quick }));
				rows.push(row({ name: `${name}, CPU`, unit: "ms", ...cpu, ...(cpuGoal === undefined ? {} : { goal: cpuGoal }), quick }));
			}
			await Promise.all([relays.ours.close(), relays.limit.close()]);
			return { rows };
		}),
};
