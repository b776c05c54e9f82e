import { startServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { over, type Row, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { startModel } from "./support/start-model.ts";
import { percentile } from "./support/statistics.ts";
import { bareSdkSource, ourSource, rawSource } from "./support/token-sources.ts";

const PER_SECOND = 100;

/** From the model's socket to a reader's: the stream itself, the agent runtime alone, and the whole server with every token on disk first. */
export const benchmark: Benchmark = {
	name: "relay",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const model = await startModel();
			const env = { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "bench", RIGHTSEAT_MAX_TURNS: "40", RIGHTSEAT_LOG: "info" };
			const sources = {
				raw: rawSource(model),
				sdk: await bareSdkSource(model, home),
				ours: ourSource(await startServer({ env, built: true })),
			};
			const rows: Row[] = [];
			for (const streams of quick ? [1] : [1, 20]) {
				const ages: Record<keyof typeof sources, number[][]> = { raw: [], sdk: [], ours: [] };
				for (let round = 0; round < (quick ? 1 : 5) + 1; round += 1) {
					// The first round opens sessions and warms every part; it does not count.
					await model.script({ tokens: { count: round === 0 ? 20 : quick ? 150 : 600, perSecond: PER_SECOND } });
					for (const kind of ["raw", "sdk", "ours"] as const) {
						const found = await sources[kind].play(streams);
						if (round > 0) ages[kind].push(found);
					}
				}
				// In the short form a few hundred tokens tell nothing about the rarest ones, and a disk that others keep busy is no regression.
				for (const [name, share, goal] of [
					["p50", 0.5, over(quick ? 10 : 2)],
					["p99", 0.99, quick ? undefined : over(15)],
				] as const) {
					const of = (kind: keyof typeof sources) => ages[kind].map((round) => percentile(round, share));
					const label = `model token to reader, ${streams} × ${PER_SECOND} tokens/s, ${name}`;
					rows.push(row({ name: `${label}: bare SDK, against the raw stream`, unit: "ms", ours: of("sdk"), limit: of("raw"), quick }));
					const ours = { ours: of("ours"), limit: of("sdk"), ...(goal === undefined ? {} : { goal }) };
					rows.push(row({ name: `${label}: us, against the bare SDK`, unit: "ms", ...ours, quick }));
				}
			}
			await Promise.all([sources.ours.close(), sources.sdk.close()]);
			model.close();
			return { rows };
		}),
};
