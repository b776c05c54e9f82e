import { startServer } from "../test/support/server.ts";
import type { Benchmark, Profile } from "./support/benchmark.ts";
import { type BenchBrowser, launchChromium } from "./support/chromium.ts";
import { interleave } from "./support/pairs.ts";
import { pageRoomOf, timeByRoom } from "./support/rooms.ts";
import { atMost, ratio, row } from "./support/row.ts";

const PROFILED_LOADS = 7;

/** A first visit: what comes over the wire, and when a person can type, against a page with nothing on it. */
export const benchmark: Benchmark = {
	name: "page-load",
	profiled: true,
	async run({ quick, profile }) {
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
		const profiles = quick ? [] : [await profileLoads(browser)];
		if (profile) {
			await browser.close();
			await server.close();
			return { rows: [], profiles };
		}
		kilobytes.length = 0;
		whole.length = 0;
		const times = await interleave(quick ? 2 : 15, measure);
		await browser.close();
		await server.close();
		return {
			profiles,
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

/** Where the main thread of the page is until its code has drawn everything. */
async function profileLoads(browser: BenchBrowser): Promise<Profile> {
	const times = new Map<string, number>();
	for (let load = 0; load < PROFILED_LOADS; load += 1) {
		const { ask, devtools, close } = await browser.open("/", async (opened) => {
			await opened.send("Profiler.enable");
			await opened.send("Profiler.setSamplingInterval", { interval: 200 });
			await opened.send("Profiler.start");
		});
		await ask<number>("probe.wholeMs");
		const { profile } = await devtools.send("Profiler.stop");
		for (const [room, us] of timeByRoom(profile, pageRoomOf)) times.set(room, (times.get(room) ?? 0) + us);
		await close();
	}
	const lines = [...times].map(([what, us]) => ({ what, value: us / 1_000 / PROFILED_LOADS })).sort((a, b) => b.value - a.value);
	return { title: "first load until the page's code runs, main thread of the page", unit: "ms", lines };
}
