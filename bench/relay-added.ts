import type { Benchmark } from "./support/benchmark.ts";
import { connectReaders } from "./support/readers.ts";
import { over, type Row, ratio, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";
import { percentile } from "./support/statistics.ts";

const STREAMS = 20;
const KINDS = ["bare", "durable", "ours"] as const;

/** What we add to a delta between the agent and the reader, with every delta on disk before it is shown. */
export const benchmark: Benchmark = {
	name: "relay-added",
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const relays = new Map(await Promise.all(KINDS.map(async (kind) => [kind, await startRelay(kind, directory, STREAMS)] as const)));
			const ages = { bare: [], durable: [], ours: [] } satisfies Record<string, number[][]>;
			const rounds = quick ? 1 : 7;
			for (let round = -1; round < rounds; round += 1)
				for (const [kind, relay] of relays) {
					const readers = await connectReaders(relay, STREAMS, 1);
					await relay.play({ streams: STREAMS, perSecond: 100, seconds: quick ? 1.5 : 6 });
					const found: number[][] = ages[kind];
					// The first round compiles code and lets the database files grow to the size that they keep.
					if (round >= 0) found.push(readers.take());
					readers.close();
				}
			await Promise.all([...relays.values()].map((relay) => relay.close()));
			const at = (kind: keyof typeof ages, share: number) => ages[kind].map((found) => percentile(found, share));
			const rows = ([name, share, most]: readonly [string, number, number]): Row[] => {
				const title = `a delta, committed first, 20 streams × 100 tokens/s, ${name}`;
				const [ours, durable, bare] = [at("ours", share), at("durable", share), at("bare", share)];
				// A disk that others keep busy is no regression of ours, so the short form judges only what we add to a bare commit.
				const goal = quick ? {} : { goal: over(most) };
				return [
					row({ name: `${title}: over a relay that stores nothing`, unit: "ms", ours, limit: bare, ...goal, quick }),
					row({
						name: `${title}: over a bare commit and relay`,
						unit: "ms",
						ours,
						limit: durable,
						goal: name === "p50" ? over(most) : ratio(5),
						quick,
					}),
				];
			};
			return { rows: [["p50", 0.5, 2] as const, ["p99", 0.99, 15] as const].flatMap(rows) };
		}),
};
