import { startServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { launchChromium } from "./support/chromium.ts";
import { interleave } from "./support/pairs.ts";
import { atMost, ratio, row } from "./support/row.ts";

/** A first visit: what comes over the wire, and when a person can type, against a page with nothing on it. */
export const benchmark: Benchmark = {
	name: "page-load",
	async run({ quick }) {
		const server = await startServer({ built: true, env: { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1" } });
		const browser = await launchChromium(server);
		const kilobytes: number[] = [];
		const whole: number[] = [];
		const measure = {
			async limit() {
				const { ask, close } = await browser.open("/healthz");
				const ms = await ask<number>("probe.documentMs");
				await close();
				return ms;
			},
			async ours() {
				const { ask, close } = await browser.open("/");
				const ms = await ask<number>("probe.interactiveMs");
				const wholeMs = await ask<number>("probe.wholeMs");
				whole.push(wholeMs);
				kilobytes.push((await ask<number>(`probe.bytesUntil(${wholeMs})`)) / 1_000);
				await close();
				return ms;
			},
		};
		await interleave(1, measure);
		kilobytes.length = 0;
		whole.length = 0;
		const times = await interleave(quick ? 2 : 15, measure);
		await browser.close();
		await server.close();
		return {
			rows: [
				row({ name: "first load, compressed", unit: "KB", ours: kilobytes, goal: atMost(130), quick }),
				row({ name: "first load until a person can type, against an empty page", unit: "ms", ...times, goal: ratio(2), quick }),
				row({
					name: "first load until the page's code runs, against an empty page",
					unit: "ms",
					ours: whole,
					limit: times.limit,
					goal: ratio(2),
					quick,
				}),
			],
		};
	},
};
