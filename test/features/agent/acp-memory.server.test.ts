import { expect, test } from "vitest";
import { createMemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import { useAcp } from "./acp-harness.ts";

const acp = useAcp();

test("[AC450] what a turn of an ACP agent says counts in the ledger until its reader has fetched it, and nothing is left of it", async () => {
	const ledger = createMemoryLedger();
	const { open } = acp([], { ledger });
	const session = await open();
	const held = () => ledger.usage().accounts.agent ?? 0;
	const events = session.run({ prompt: "stream 400 0", displayPrompt: "" }, new AbortController().signal)[Symbol.asyncIterator]();
	let text = "";
	let event = await events.next();
	// The reader rests after the first word: the others wait for it.
	await expect.poll(held).toBeGreaterThan(400 * 2);
	for (; event.done !== true; event = await events.next()) if (event.value.kind === "text-delta") text += event.value.content;
	expect(text).toBe(Array.from({ length: 400 }, (_, at) => `word${at + 1} `).join(""));
	expect(held()).toBe(0);
	await session.close();
	expect(held()).toBe(0);
});
