import { startServer } from "../test/support/server.ts";
import type { Benchmark, Profile } from "./support/benchmark.ts";
import { PROFILED_ENV, profileServer } from "./support/profile-server.ts";
import { over, type Row, ratio, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { slowestTokens } from "./support/slowest.ts";
import { startModel } from "./support/start-model.ts";
import { startSdkRelay } from "./support/start-sdk-relay.ts";
import { percentile } from "./support/statistics.ts";
import { ourSource, type PlayedTokens, rawSource, sdkSource } from "./support/token-sources.ts";

const PER_SECOND = 100;
const KINDS = ["raw", "sdk", "relay", "durable", "ours"] as const;
type Kind = (typeof KINDS)[number];
type Rounds = Record<Kind, PlayedTokens[]>;

/** Milliseconds of CPU that a token may cost us over the SDK's own. */
const CPU_GOALS = new Map([
	[1, 0.3],
	[20, 0.1],
]);

/** From the model's socket to a reader's: the stream itself, the agent SDK alone, before a bare `ws`, and the whole server with every token on disk first. */
export const benchmark: Benchmark = {
	name: "relay",
	profiled: true,
	run: ({ quick, profile }) =>
		withScratch(async (home) => {
			const model = await startModel();
			const env = {
				RIGHTSEAT_PROVIDER_URL: model.url,
				RIGHTSEAT_PROVIDER_KEY: "bench",
				RIGHTSEAT_MAX_TURNS: "40",
				RIGHTSEAT_LOG: "info",
				...PROFILED_ENV,
			};
			const sdk = await startSdkRelay(home, model.url, 20);
			const server = await startServer({ env, built: true });
			const sources = {
				raw: rawSource(model),
				sdk: sdkSource(sdk, "alone"),
				relay: sdkSource(sdk, "relay"),
				durable: sdkSource(sdk, "durable"),
				ours: ourSource(server),
			};
			const rows: Row[] = [];
			const profiles: Profile[] = [];
			const kinds: readonly Kind[] = profile ? ["ours"] : quick ? ["relay", "ours"] : KINDS;
			for (const streams of quick ? [1] : [20, 1]) {
				const rounds: Rounds = { raw: [], sdk: [], relay: [], durable: [], ours: [] };
				for (let round = 0; round < (quick ? 1 : 3) + 1; round += 1) {
					// The first round opens sessions and warms every part; it does not count.
					await model.script({ tokens: { count: round === 0 ? 20 : quick ? 150 : 1_000, perSecond: PER_SECOND } });
					for (const kind of kinds) {
						const found = await sources[kind].play(streams);
						if (round > 0) rounds[kind].push(found);
					}
				}
				if (!quick)
					profiles.push(await profileServer(server, titleOf(streams, "CPU"), async () => (await sources.ours.play(streams)).ages.length));
				if (!quick && streams === 1)
					profiles.push(
						slowestTokens(
							`${titleOf(1, "the slowest hundredth")}: where in the answer`,
							rounds.ours.map(({ ages }) => ages),
						),
					);
				if (profile) continue;
				rows.push(
					...(quick
						? quickRows(rounds)
						: [...ageRows(rounds, streams, "p50"), ...ageRows(rounds, streams, "p99"), cpuRow(rounds, streams)]),
				);
			}
			await Promise.all([server.close(), sdk.close()]);
			model.close();
			return { rows, profiles };
		}),
};

const SHARES = { p50: { share: 0.5, goal: ratio(1.5) }, p99: { share: 0.99, goal: ratio(2) } };
const titleOf = (streams: number, what: string) => `model token to reader, ${streams} × ${PER_SECOND} tokens/s, ${what}`;
const agesOf = (rounds: Rounds, kind: Kind, share: number) => rounds[kind].map(({ ages }) => percentile(ages, share));

function ageRows(rounds: Rounds, streams: number, name: keyof typeof SHARES): Row[] {
	const { share, goal } = SHARES[name];
	const of = (kind: Kind) => agesOf(rounds, kind, share);
	const one = (what: string, ours: Kind, limit: Kind) => ({
		name: `${titleOf(streams, name)}: ${what}`,
		...{ unit: "ms", ours: of(ours), limit: of(limit), quick: false },
	});
	return [
		row(one("the bare SDK, against the raw stream", "sdk", "raw")),
		row({ ...one("us, against the SDK and a bare ws", "ours", "relay"), goal }),
		row(one("the SDK, a bare commit and a bare ws, against without the commit", "durable", "relay")),
		row(one("us, against the SDK, a bare commit and a bare ws", "ours", "durable")),
	];
}

function cpuRow(rounds: Rounds, streams: number): Row {
	const of = (kind: Kind) => rounds[kind].map(({ cpuMs, ages }) => cpuMs / ages.length);
	const name = `${titleOf(streams, "CPU per token")}: our process, against a process with the SDK alone`;
	return row({ name, unit: "ms", ours: of("ours"), limit: of("sdk"), goal: over(CPU_GOALS.get(streams) ?? 0), quick: false });
}

/** A few hundred tokens tell nothing about the rarest ones, and a disk that others keep busy is no regression. */
function quickRows(rounds: Rounds): Row[] {
	const name = `${titleOf(1, "p50")}: us, against the SDK and a bare ws`;
	return [row({ name, unit: "ms", ours: agesOf(rounds, "ours", 0.5), limit: agesOf(rounds, "relay", 0.5), goal: over(10), quick: true })];
}
