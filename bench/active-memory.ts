import type { Benchmark } from "./support/benchmark.ts";
import { connectReaders } from "./support/readers.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";

const CONVERSATIONS = 100;

/** What the server holds for every conversation that answers right now, each with a reader. */
export const benchmark: Benchmark = {
	name: "active-memory",
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const [each, whole, idle]: [number[], number[], number[]] = [[], [], []];
			for (let round = 0; round < (quick ? 1 : 5); round += 1) {
				// A new process every time: what a heap has grown to is not given back between rounds.
				const relay = await startRelay("ours", `${directory}/${round}`, CONVERSATIONS);
				const readers = await connectReaders(relay, CONVERSATIONS, 1);
				const { rssMb } = await relay.play({ streams: CONVERSATIONS, perSecond: 20, seconds: quick ? 2 : 10 });
				readers.close();
				await relay.close();
				idle.push(relay.rssMb);
				whole.push(rssMb);
				each.push((rssMb - relay.rssMb) / CONVERSATIONS);
			}
			return {
				rows: [
					row({ name: `memory per active conversation, ${CONVERSATIONS} at 20 tokens/s`, unit: "MB", ours: each, goal: atMost(1), quick }),
					row({ name: `memory with ${CONVERSATIONS} active conversations, against none`, unit: "MB", ours: whole, limit: idle, quick }),
				],
			};
		}),
};
