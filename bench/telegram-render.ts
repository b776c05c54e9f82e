import { createMarkdownParser } from "../packages/server/src/channels/telegram/format/markdown-parser.ts";
import { createMarkdownRenderer } from "../packages/server/src/channels/telegram/format/markdown-to-entities.ts";
import { splitText } from "../packages/server/src/channels/telegram/format/split-text.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { longMarkdown } from "./support/long-markdown.ts";
import { interleave, timed } from "./support/pairs.ts";
import { ratio, row } from "./support/row.ts";

/** A long answer made into Telegram messages, against only parsing it. */
export const benchmark: Benchmark = {
	name: "telegram-render",
	async run({ quick }) {
		const markdown = longMarkdown(60_000);
		const parser = createMarkdownParser();
		const render = createMarkdownRenderer();
		let messages = 0;
		const ours = () => {
			messages = splitText(render(markdown)).length;
		};
		for (let warm = 0; warm < 5; warm += 1) {
			parser.parse(markdown, {});
			ours();
		}
		const pairs = await interleave(quick ? 5 : 40, { limit: () => timed(() => parser.parse(markdown, {})), ours: () => timed(ours) });
		return {
			rows: [
				row({
					name: `60 KB of Markdown into ${messages} Telegram messages, against parsing it`,
					unit: "ms",
					...pairs,
					goal: ratio(3),
					quick,
				}),
			],
		};
	},
};
