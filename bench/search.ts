import type { Benchmark } from "./support/benchmark.ts";
import { addConversation, addMessages, openBenchStore } from "./support/filled-store.ts";
import { interleave, timed } from "./support/pairs.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";

/** What people look for: common and rare words, beginnings of words, Chinese of one, two and four characters, several at once, nothing. */
const QUERIES = ["websocket", "web", "伺服器", "訊息", "很", "測試修好", "server 資料庫", "slow branch window", "999983", "absent"];

/** Search over many short messages in two languages. */
export const benchmark: Benchmark = {
	name: "search",
	run: ({ quick }) =>
		withScratch(async (home) => {
			const count = quick ? 50_000 : 1_000_000;
			const opened = openBenchStore(home);
			const fillMs = await timed(() => {
				for (let done = 0; done < count; done += 10_000) addMessages(opened, addConversation(opened, `Talk ${done}`), 10_000);
			});
			const bare = opened.sql.prepare("SELECT rowid FROM messages_text WHERE messages_text MATCH ? ORDER BY rowid DESC LIMIT 50");
			const rounds = quick ? 3 : 15;
			let slowest = { query: "", ours: [0], limit: [0], median: -1 };
			const all: number[] = [];
			for (const query of QUERIES) {
				const expression = `"${[...query].map((character) => (/[\u3400-\u9fff]/.test(character) ? ` ${character} ` : character)).join("")}"`;
				const pairs = await interleave(rounds, {
					limit: () => timed(() => bare.all(expression)),
					ours: () => timed(() => opened.store.messages.search(query)),
				});
				all.push(...pairs.ours);
				const median = [...pairs.ours].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
				if (median > slowest.median) slowest = { query, ...pairs, median };
			}
			await opened.close();
			const name = `search over ${count.toLocaleString("en-US")} messages`;
			return {
				rows: [
					row({
						name: `${name}, slowest of ${QUERIES.length} queries (“${slowest.query}”)`,
						unit: "ms",
						ours: slowest.ours,
						limit: slowest.limit,
						goal: atMost(100),
						quick,
					}),
					row({ name: `${name}, middle query`, unit: "ms", ours: all, goal: atMost(100), quick }),
					row({ name: "messages stored and indexed per second, 2,000 a transaction", unit: "/s", ours: [(count / fillMs) * 1_000], quick }),
				],
			};
		}),
};
