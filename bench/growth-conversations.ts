import { statSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../test/support/server.ts";
import type { Benchmark, Series } from "./support/benchmark.ts";
import { addConversation, addMessages, openBenchStore } from "./support/filled-store.ts";
import { timed } from "./support/pairs.ts";
import { treeRssMb } from "./support/processes.ts";
import { type Row, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { median } from "./support/statistics.ts";

const COUNTS = [10, 100, 1_000, 10_000];
const MESSAGES_EACH = 10;
const ROUNDS = 15;

/** How the number of conversations, each of ten messages, changes what is done all day. */
export const benchmark: Benchmark = {
	name: "growth-conversations",
	longOnly: true,
	async run({ quick }) {
		const found = new Map<string, [number, number][]>();
		for (const count of COUNTS)
			for (const [label, value] of Object.entries(await measure(count))) found.set(label, [...(found.get(label) ?? []), [count, value]]);
		const lines = [...found].map(([label, points]) => ({ label, points }));
		const series = (name: string, title: string, y: string, unit: string): Series => ({
			...{ name, title, x: "conversations", y, lines: lines.filter(({ label }) => label.endsWith(unit)) },
		});
		return {
			rows: lines.map(({ label, points }): Row => {
				const [first, last] = [points[0]?.[1] ?? 0, points.at(-1)?.[1] ?? 0];
				return row({ name: `${label}, with 10,000 conversations against 10`, unit: "", ours: [last], limit: [first], quick });
			}),
			series: [
				series("conversations-time", "Time by number of conversations", "milliseconds", "ms"),
				series("conversations-size", "Size by number of conversations", "megabytes", "MB"),
			],
		};
	},
};

const measure = (count: number) =>
	withScratch(async (home) => {
		const opened = openBenchStore(home);
		let id = "";
		for (let index = 0; index < count; index += 1) {
			const added = addConversation(opened, `Conversation ${index}`, Date.now() - (count - index) * 1_000);
			addMessages(opened, added, MESSAGES_EACH);
			id = added;
		}
		await opened.close();
		const begin = performance.now();
		const server = await startServer({ built: true, home, env: { RIGHTSEAT_PROVIDER_URL: "http://127.0.0.1:9/v1" } });
		const startMs = performance.now() - begin;
		const ask = async (path: string) => {
			const times: number[] = [];
			for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(async () => (await server.api(path)).text()));
			return median(times);
		};
		const times = {
			"start, ms": startMs,
			"list of conversations, ms": await ask("/api/conversations"),
			"newest messages, ms": await ask(`/api/conversations/${id}/messages`),
			"search for a word, ms": await ask("/api/search?q=websocket"),
		};
		const rssMb = treeRssMb(server.pid, false) ?? 0;
		await server.close();
		return { ...times, "memory of the server, MB": rssMb, "database, MB": statSync(join(home, "rightseat.db")).size / 1e6 };
	});
