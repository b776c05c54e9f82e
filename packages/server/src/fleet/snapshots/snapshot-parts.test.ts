import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Copy } from "../../core/fleet/remote-state.ts";
import { createHostKeys } from "../crypto/host-keys.ts";
import { createSealer } from "../crypto/seal.ts";
import { MAX_SNAPSHOT_CHARS, openSnapshot, type SealedPart, sealSnapshot } from "./snapshot-parts.ts";

const keys = createHostKeys();
const content = randomBytes(32);
const sealer = createSealer("fleetfleetfleetf", { current: () => 1, find: () => content });
const place = { fleet: "fleetfleetfleetf", host: keys.host, conversationId: "c1" };
const copyOf = (frame: string, seq = 5): Copy => ({ position: { generation: 1, epoch: "e", seq, chain: "0".repeat(16) }, frame, at: 99 });
const parts = async (copy: Copy, maxBytes = 2_000) => (await sealSnapshot(keys, sealer, place, copy, maxBytes)) ?? [];
const open = (sealed: readonly SealedPart[], at = place, max?: number) =>
	openSnapshot(
		keys.publicKeys.sign,
		sealer,
		at,
		sealed.map(({ bytes }) => bytes),
		max,
	);
const noise = (length: number) => randomBytes(length).toString("base64");

test("[FL100] a snapshot comes back whole from its parts, none of them larger than a message may be", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.string({ maxLength: 200 }),
			fc.nat(20_000),
			fc.integer({ min: 1_500, max: 9_000 }),
			async (text, length, maxBytes) => {
				const copy = copyOf(text.toWellFormed() + noise(length));
				const sealed = await parts(copy, maxBytes);
				expect(sealed.every(({ bytes }) => bytes.length <= maxBytes)).toBe(true);
				expect(await open(sealed)).toEqual(copy);
				// A longer snapshot that lay there before leaves parts behind the last one.
				expect(await open([...sealed, ...(await parts(copyOf("old")))])).toEqual(copy);
			},
		),
		{ numRuns: 40 },
	);
});

test("[FL101] a part that is missing, of another set, moved, or that another host made is no snapshot", async () => {
	const [one, two] = [await parts(copyOf(noise(4_000))), await parts(copyOf(noise(4_000), 6))];
	expect(one.length).toBeGreaterThan(2);
	// Members share the content key, so a seal alone does not say who made it.
	const forged = (await sealSnapshot(createHostKeys(), sealer, place, copyOf("false words"), 2_000)) ?? [];
	const wrong = [[], one.slice(1), one.slice(0, -1), [...one.slice(0, 1), ...two.slice(1)], one.toReversed(), forged];
	for (const each of wrong) expect(await open(each)).toBeUndefined();
	expect(await open(one, { ...place, conversationId: "c2" })).toBeUndefined();
	expect(await open(one)).toBeDefined();
});

test("[FL102] what is too large is not kept, what unpacks to too much is not read, and hostile bytes are no snapshot", async () => {
	const tooMuch = [copyOf("x".repeat(MAX_SNAPSHOT_CHARS + 1)), copyOf(noise(100_000))];
	expect(await sealSnapshot(keys, sealer, place, tooMuch[0] ?? copyOf(""), 900_000)).toBeUndefined();
	expect(await sealSnapshot(keys, sealer, place, tooMuch[1] ?? copyOf(""), 1_500)).toBeUndefined();
	expect(await sealSnapshot(keys, sealer, place, copyOf("x"), 1_000)).toBeUndefined();
	const packed = await parts(copyOf("x".repeat(100_000)));
	expect([packed.length, await open(packed, place, 99_999), (await open(packed, place, 100_000))?.frame.length]).toEqual([
		1,
		undefined,
		100_000,
	]);
	await fc.assert(
		fc.asyncProperty(fc.array(fc.uint8Array(), { maxLength: 3 }), fc.uint8Array(), async (hostile, body) => {
			expect(await openSnapshot(keys.publicKeys.sign, sealer, place, hostile)).toBeUndefined();
			const context = `rs.${place.fleet}.snap.${place.host}.c1.0`;
			const sealed = sealer.seal({ context, from: place.host, body });
			expect(await openSnapshot(keys.publicKeys.sign, sealer, place, [sealed])).toBeUndefined();
		}),
	);
});
