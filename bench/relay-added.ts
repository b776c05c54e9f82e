import type { Benchmark } from "./support/benchmark.ts";
import { createPairs } from "./support/pairs.ts";
import { connectReaders } from "./support/readers.ts";
import { over, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";
import { percentile } from "./support/statistics.ts";

const STREAMS = 20;

/** What we add to a delta between the agent and the reader, with every delta on disk before it is shown. */
export const benchmark: Benchmark = {
	name: "relay-added",
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const relays = { ours: await startRelay("ours", directory, STREAMS), limit: await startRelay("bare", directory, STREAMS) };
			const [p50, p99] = [createPairs(), createPairs()];
			const emission = { streams: STREAMS, perSecond: 100, seconds: quick ? 1.5 : 6 };
			for (let round = 0; round < (quick ? 2 : 7); round += 1)
				for (const side of ["limit", "ours"] as const) {
					const readers = await connectReaders(relays[side], STREAMS, 1);
					await relays[side].play(emission);
					const ages = readers.take();
					readers.close();
					p50[side].push(percentile(ages, 0.5));
					p99[side].push(percentile(ages, 0.99));
				}
			await Promise.all([relays.ours.close(), relays.limit.close()]);
			const name = "added per delta, committed first, 20 streams × 100 tokens/s";
			return {
				rows: [
					row({ name: `${name}, p50`, unit: "ms", ...p50, goal: over(2), quick }),
					row({ name: `${name}, p99`, unit: "ms", ...p99, goal: over(15), quick }),
				],
			};
		}),
};
