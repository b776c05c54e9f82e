import { startServer } from "../test/support/server.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { launchChromium } from "./support/chromium.ts";
import { addConversation, addMessages, openBenchStore } from "./support/filled-store.ts";
import { longMarkdown } from "./support/long-markdown.ts";
import { interleave } from "./support/pairs.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { sentence } from "./support/words.ts";

const MESSAGES = 2_000;
const NEWEST = "This is the newest message.";

/** A conversation of months: how soon it can be read, and how much of it the page holds. */
export const benchmark: Benchmark = {
	name: "page-long",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const [long, short] = await fill(home);
			const server = await startServer({ built: true, home, env: { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1" } });
			const browser = await launchChromium(server);
			const nodes: number[] = [];
			const heap: number[] = [];
			const openOne = async (id: string) => {
				const opened = await browser.open("/");
				await opened.page.locator(`a[href="/c/${id}"]`).waitFor();
				const ms = await opened.ask<number>(`probe.open("/c/${id}", ${JSON.stringify(NEWEST)})`);
				return { ...opened, ms };
			};
			const measure = {
				async limit() {
					const { ms, close } = await openOne(short);
					await close();
					return ms;
				},
				async ours() {
					const { ms, ask, heapMb, close } = await openOne(long);
					nodes.push(await ask<number>("document.querySelectorAll('*').length"));
					heap.push(await heapMb());
					await close();
					return ms;
				},
			};
			if (!quick) await interleave(1, measure);
			const times = await interleave(quick ? 1 : 11, measure);
			await browser.close();
			await server.close();
			const name = `conversation of ${MESSAGES.toLocaleString("en-US")} messages`;
			return {
				rows: [
					row({ name: `${name} readable, against one of two`, unit: "ms", ...times, goal: atMost(300), quick }),
					row({ name: `${name}, elements in the page`, unit: "", ours: nodes, goal: atMost(1_500), quick }),
					row({ name: `${name}, JavaScript heap`, unit: "MB", ours: heap, goal: atMost(40), quick }),
				],
			};
		}),
};

/** Prompts in a line, answers in Markdown of all lengths. */
async function fill(home: string): Promise<[long: string, short: string]> {
	const opened = openBenchStore(home);
	const ids: [string, string] = ["", ""];
	for (const [place, count] of [
		[0, MESSAGES],
		[1, 2],
	] as const) {
		const id = addConversation(opened, count === MESSAGES ? "Long" : "Short");
		addMessages(opened, id, count, (index) => {
			if (index === count - 1) return NEWEST;
			return index % 2 === 0 ? sentence(index) : longMarkdown(200 + ((index * 37) % 2_000));
		});
		ids[place] = id;
	}
	await opened.close();
	return ids;
}
