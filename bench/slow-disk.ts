import { WebSocket } from "ws";
import { slowSyncs } from "../test/support/slow-syncs.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { connectReaders } from "./support/readers.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { type Relay, startRelay } from "./support/start-relay.ts";
import { percentile } from "./support/statistics.ts";

const DELAY_MS = 100;
const STREAMS = 20;
const PING_MS = 20;

/** What a slow disk costs those who do not wait for it, and how much of the main thread storing takes. */
export const benchmark: Benchmark = {
	name: "slow-disk",
	run: ({ quick }) =>
		withScratch(async (directory) => {
			const slow = slowSyncs(directory, DELAY_MS);
			const plain = await startRelay("ours", directory, STREAMS);
			// Without a compiler the delay stands in the thread that syncs; a sync elsewhere would not be noticed then.
			const delayed = await startRelay("ours", `${directory}/slow`, STREAMS, slow ?? { BENCH_SYNC_DELAY_MS: String(DELAY_MS) });
			const found = { plain: [] as Measured[], delayed: [] as Measured[] };
			for (let round = -1; round < (quick ? 1 : 7); round += 1) {
				for (const [name, relay] of [["plain", plain] as const, ["delayed", delayed] as const]) {
					const measured = await measure(relay, quick ? 1.5 : 6);
					if (round >= 0) found[name].push(measured);
				}
			}
			await Promise.all([plain.close(), delayed.close()]);
			const of = (name: keyof typeof found, key: keyof Measured) => found[name].map((one) => one[key]);
			const pong = { unit: "ms", ours: of("delayed", "pongMs"), limit: of("plain", "pongMs") };
			const delta = { unit: "ms", ours: of("delayed", "deltaMs"), limit: of("plain", "deltaMs") };
			return {
				rows: [
					row({ name: `pong while every sync takes ${DELAY_MS} ms more, p95`, ...pong, goal: atMost(50), quick }),
					row({ name: `a delta while every sync takes ${DELAY_MS} ms more, p50`, ...delta, goal: atMost(3 * DELAY_MS), quick }),
					row({
						name: "main thread used for storing, 20 streams × 100 tokens/s",
						...{ unit: "%", ours: of("plain", "storagePercent"), goal: atMost(15), quick },
					}),
					row({ name: `the same while every sync takes ${DELAY_MS} ms more`, unit: "%", ours: of("delayed", "storagePercent"), quick }),
				],
			};
		}),
};

interface Measured {
	pongMs: number;
	deltaMs: number;
	storagePercent: number;
}

async function measure(relay: Relay, seconds: number): Promise<Measured> {
	const readers = await connectReaders(relay, STREAMS, 1);
	const pings = await startPinging(relay);
	const { storageMs = 0 } = await relay.play({ streams: STREAMS, perSecond: 100, seconds });
	const pongs = pings.stop();
	const ages = readers.take();
	readers.close();
	return { pongMs: percentile(pongs, 0.95), deltaMs: percentile(ages, 0.5), storagePercent: storageMs / (10 * seconds) };
}

async function startPinging(relay: Relay) {
	const socket = new WebSocket(`${relay.url.replace(/^http/, "ws")}/ws`, { headers: relay.headers });
	await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
	const times: number[] = [];
	let sentAt = 0;
	const ping = () => {
		sentAt = performance.now();
		socket.send(JSON.stringify({ type: "ping" }));
	};
	let timer: NodeJS.Timeout | undefined;
	socket.on("message", (data) => {
		if (!String(data).includes('"pong"')) return;
		times.push(performance.now() - sentAt);
		timer = setTimeout(ping, PING_MS);
	});
	ping();
	return {
		stop() {
			clearTimeout(timer);
			socket.close();
			return times;
		},
	};
}
