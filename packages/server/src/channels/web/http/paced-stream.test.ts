import { expect, test } from "vitest";
import { pacedStream } from "./paced-stream.ts";

test("[SR24] a file that takes long to make keeps nobody waiting meanwhile, and comes whole", async () => {
	function* slow() {
		for (let n = 0; n < 30; n += 1) {
			const until = performance.now() + 4;
			while (performance.now() < until);
			yield `${n} `;
		}
	}
	let turns = 0;
	let isOver = false;
	const others = () => {
		turns += 1;
		if (!isOver) setImmediate(others);
	};
	others();
	let text = "";
	for await (const chunk of pacedStream(slow())) text += String(chunk);
	isOver = true;
	expect(text).toBe(Array.from({ length: 30 }, (_, n) => `${n} `).join(""));
	expect(turns).toBeGreaterThan(5);
});
