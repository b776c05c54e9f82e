import { startServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { launchChromium } from "./support/chromium.ts";
import { longMarkdown } from "./support/long-markdown.ts";
import { createPairs } from "./support/pairs.ts";
import { atLeast, atMost, row } from "./support/row.ts";
import { startModel } from "./support/start-model.ts";

const PER_SECOND = 100;

interface Watched {
	perSecond: number;
	longestTaskMs: number;
	longestGapMs: number;
}

/** A long Markdown answer that grows a hundred times a second, while nothing may stutter. */
export const benchmark: Benchmark = {
	name: "page-stream",
	async run({ quick }) {
		const chars = quick ? 10_000 : 50_000;
		const pieces = quick ? 200 : 1_000;
		const model = await startModel();
		const server = await startServer({ built: true, env: { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "bench" } });
		const browser = await launchChromium(server);
		const frames = createPairs();
		const tasks = createPairs();
		const gaps = createPairs();
		for (let round = 0; round < (quick ? 1 : 5); round += 1) {
			const mark = `The end of round ${round}`;
			await model.script({ text: `${longMarkdown(chars)}\n\n${mark}`, pieces, perSecond: PER_SECOND });
			const { page, ask, close } = await browser.open("/");
			const box = page.getByRole("textbox", { name: "Message" });
			await box.fill("Go");
			const idle = await ask<Watched>("probe.watch(probe.pause(1500))");
			await box.press("Enter");
			await ask("probe.whenShown('Step 0')");
			const busy = await ask<Watched>(`probe.watch(probe.whenShown(${JSON.stringify(mark)}))`);
			for (const [pairs, read] of [
				[frames, (found: Watched) => found.perSecond],
				[tasks, (found: Watched) => found.longestTaskMs],
				[gaps, (found: Watched) => found.longestGapMs],
			] as const) {
				pairs.ours.push(read(busy));
				pairs.limit.push(read(idle));
			}
			await close();
		}
		await browser.close();
		await server.close();
		model.close();
		const name = `${chars / 1_000} KB of Markdown at ${PER_SECOND} updates/s`;
		return {
			rows: [
				row({ name: `${name}, frames, against the page at rest`, unit: "/s", ...frames, goal: atLeast(59.5), quick }),
				row({ name: `${name}, longest task over 50 ms`, unit: "ms", ...tasks, ...(quick ? {} : { goal: atMost(50) }), quick }),
				row({ name: `${name}, longest time between frames`, unit: "ms", ...gaps, quick }),
			],
		};
	},
};
