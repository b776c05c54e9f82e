import type { Benchmark } from "./support/benchmark.ts";
import { connectReaders } from "./support/readers.ts";
import { row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startRelay } from "./support/start-relay.ts";
import { percentile } from "./support/statistics.ts";

const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200];
const EMISSION = { perSecond: 20, seconds: 4 };

/** Answers that are written at the same time, each at 20 tokens a second and with a reader: delay and work as their number grows. */
export const benchmark: Benchmark = {
	name: "growth-sessions",
	longOnly: true,
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const most = COUNTS.at(-1) ?? 1;
			const relays = { ours: await startRelay("ours", directory, most), bare: await startRelay("bare", directory, most) };
			const points: Record<"p50" | "p99" | "barep99" | "cpu", [number, number][]> = { p50: [], p99: [], barep99: [], cpu: [] };
			for (const relay of Object.values(relays)) await relay.play({ streams: 20, perSecond: 100, seconds: 4 });
			for (const streams of COUNTS) {
				const played = { ours: await play(relays.ours, streams), bare: await play(relays.bare, streams) };
				points.p50.push([streams, percentile(played.ours.ages, 0.5)]);
				points.p99.push([streams, percentile(played.ours.ages, 0.99)]);
				points.barep99.push([streams, percentile(played.bare.ages, 0.99)]);
				points.cpu.push([streams, played.ours.cpuMs / EMISSION.seconds / 10]);
			}
			await Promise.all([relays.ours.close(), relays.bare.close()]);
			const last = (name: keyof typeof points) => [points[name].at(-1)?.[1] ?? 0];
			return {
				rows: [
					row({ name: "200 answers at 20 tokens/s each, p99 of a delta", unit: "ms", ours: last("p99"), limit: last("barep99"), quick }),
					row({ name: "200 answers at 20 tokens/s each, CPU", unit: "% of a core", ours: last("cpu"), quick }),
				],
				series: [
					{
						...{ name: "sessions", title: "Answers at the same time, 20 tokens/s each", x: "answers", y: "ms, % of a core" },
						lines: [
							{ label: "delay p50, ms", points: points.p50 },
							{ label: "delay p99, ms", points: points.p99 },
							{ label: "bare ws p99, ms", points: points.barep99 },
							{ label: "CPU, %", points: points.cpu },
						],
					},
				],
			};
		}),
};

async function play(relay: Awaited<ReturnType<typeof startRelay>>, streams: number): Promise<{ ages: number[]; cpuMs: number }> {
	const readers = await connectReaders(relay, streams, 1);
	const { cpuMs } = await relay.play({ ...EMISSION, streams });
	const ages = readers.take();
	readers.close();
	return { ages, cpuMs };
}
