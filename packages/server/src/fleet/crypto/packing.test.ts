import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AT_ONCE_BYTES, AT_ONCE_UNPACKED_BYTES, pack, unpack } from "./packing.ts";

const LIMIT = 1_000_000;
/** What has settled before anything outside of this thread could have happened. */
async function isAtOnce(work: Promise<unknown>): Promise<boolean> {
	let isDone = false;
	void work.then(() => {
		isDone = true;
	});
	for (let turn = 0; turn < 5; turn++) await Promise.resolve();
	return isDone;
}

test("[FL373] what is short is packed and unpacked at once, what is long on other threads, and either comes back whole", async () => {
	const [short, long] = ["a short answer", randomBytes(AT_ONCE_BYTES).toString("base64")];
	for (const text of [short, long]) expect((await unpack(await pack(text), LIMIT)).toString()).toBe(text);
	const [packed, packedLong] = [await pack(short), await pack(long)];
	expect([await isAtOnce(pack(short)), await isAtOnce(unpack(packed, LIMIT))]).toEqual([true, true]);
	expect([await isAtOnce(pack(long)), await isAtOnce(unpack(packedLong, LIMIT))]).toEqual([false, false]);
	await fc.assert(
		fc.asyncProperty(fc.string({ maxLength: 300 }), async (text) => {
			const whole = text.toWellFormed();
			expect((await unpack(await pack(whole, { level: 1 }), LIMIT)).toString()).toBe(whole);
		}),
	);
});

test("[FL373] a few bytes that become many do not hold up this thread, and what becomes too much or is nothing packed rejects", async () => {
	const bomb = await pack("x".repeat(AT_ONCE_UNPACKED_BYTES + 1));
	expect(bomb.length).toBeLessThan(AT_ONCE_BYTES);
	expect(await isAtOnce(unpack(bomb, LIMIT))).toBe(false);
	expect((await unpack(bomb, LIMIT)).length).toBe(AT_ONCE_UNPACKED_BYTES + 1);
	await expect(unpack(bomb, 1_000)).rejects.toThrow(RangeError);
	await expect(unpack(await pack("x".repeat(2_000)), 1_000)).rejects.toThrow(RangeError);
	await expect(unpack(Buffer.from([255, 254, 253]), LIMIT)).rejects.toThrow();
});
