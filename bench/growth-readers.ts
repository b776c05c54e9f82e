import type { Benchmark, Series } from "./support/benchmark.ts";
import { connectReaders } from "./support/readers.ts";
import { row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";
import { median } from "./support/statistics.ts";

type Line = Series["lines"][number];

const COUNTS = [1, 3, 10, 30, 100, 300, 1_000];
const EMISSION = { streams: 1, perSecond: 20, seconds: 3 };

/** Readers of one answer: what one delta costs as their number grows, beside sockets that are given frames made beforehand. */
export const benchmark: Benchmark = {
	name: "growth-readers",
	longOnly: true,
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const lines: Line[] = [];
			for (const kind of ["ours", "bare"] as const) {
				const relay = await startRelay(kind, directory, 1);
				const age: Line = { label: `${kind}, median reader`, points: [] };
				const cpu: Line = { label: `${kind}, CPU`, points: [] };
				for (const count of COUNTS) {
					const readers = await connectReaders(relay, 1, count);
					const { cpuMs, tokens } = await relay.play(EMISSION);
					age.points.push([count, median(readers.take())]);
					cpu.points.push([count, cpuMs / tokens]);
					readers.close();
				}
				lines.push(age, cpu);
				await relay.close();
			}
			const last = (index: number) => [lines[index]?.points.at(-1)?.[1] ?? 0];
			return {
				rows: [row({ name: "CPU of one delta to 1,000 readers", unit: "ms", ours: last(1), limit: last(3), quick })],
				series: [{ name: "readers", title: "One delta to many readers", x: "readers", y: "ms for each delta", lines }],
			};
		}),
};
