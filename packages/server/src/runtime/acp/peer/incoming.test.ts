import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../core/kernel/clock.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import { createIncoming } from "./incoming.ts";
import { LARGE_LINE_BYTES } from "./line-reader.ts";

function read(maxLineBytes?: number) {
	const input = new PassThrough();
	const account = createMemoryLedger().account("agent");
	const heard: string[] = [];
	const incoming = createIncoming({
		...{ input, clock: systemClock, account, maxLineBytes },
		onMessage: ({ kind }) => heard.push(kind),
		onBroken: (because) => heard.push(because),
	});
	onTestFinished(incoming.close);
	/** Resolves when the reader has been given all of it. */
	async function say(text: string): Promise<void> {
		input.write(text);
		while (input.readableLength > 0) await new Promise(setImmediate);
		await new Promise(setImmediate);
	}
	return { incoming, account, heard, say };
}
const update = (chars: number) => `{"jsonrpc":"2.0","method":"u","params":"${"x".repeat(chars)}"}\n`;

test("[AC450] what has come of a line counts until the line is whole, and nothing of whole lines does", async () => {
	const { account, heard, say } = read();
	await say(update(10));
	expect([heard.length, account.bytes()]).toEqual([1, 0]);
	const line = update(1_000);
	await say(line.slice(0, 600));
	expect(account.bytes()).toBe(600);
	await say(line.slice(600));
	expect([heard.length, account.bytes()]).toEqual([2, 0]);
});

test("[AC450] a large line counts until it is understood, one that is too long until it is given up", async () => {
	const large = read();
	const line = update(2 * LARGE_LINE_BYTES);
	await large.say(line.slice(0, -1));
	expect(large.account.bytes()).toBe(line.length - 1);
	await large.say("\n");
	await large.incoming.settled();
	expect([large.heard.length, large.account.bytes()]).toEqual([1, 0]);
	const long = read(2 * LARGE_LINE_BYTES);
	await long.say("x".repeat(LARGE_LINE_BYTES + 1));
	expect(long.account.bytes()).toBe(LARGE_LINE_BYTES + 1);
	await long.say("x".repeat(LARGE_LINE_BYTES));
	expect([long.heard.length, long.account.bytes()]).toEqual([1, 0]);
});

test("[AC450] an agent that ends in the middle of a line takes what it held with it", async () => {
	const { incoming, account, say } = read();
	await say("x".repeat(LARGE_LINE_BYTES + 10));
	expect(account.bytes()).toBe(LARGE_LINE_BYTES + 10);
	incoming.close();
	await say("x".repeat(10));
	expect(account.bytes()).toBe(0);
});
