import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CHAIN_START } from "../../core/log/chains.ts";
import { base32 } from "./base32.ts";
import { chainLink } from "./chain.ts";
import { createEphemeralKey, createHostKeys, hostIdOf, isSignedBy, restoreHostKeys } from "./host-keys.ts";
import { commitmentOf, putInBox, takeFromBox } from "./key-box.ts";
import { type ContentKeys, createSealer, MAX_DERIVED_KEYS } from "./seal.ts";
import { isSignatureOf, readSigned, signText } from "./signed-text.ts";

const FLEET = "fleetfleetfleetf";
const [a, b] = [createHostKeys(), createHostKeys()];
const contentKeys = new Map([
	[1, randomBytes(32)],
	[2, randomBytes(32)],
]);
const ring = (current: number | undefined): ContentKeys => ({ current: () => current, find: (number) => contentKeys.get(number) });
const sealer = createSealer(FLEET, ring(2));
const bytes = fc.uint8Array({ maxLength: 400 });

test("[FL30] what is sealed opens with the same words, and any changed byte, other subject or other host opens nothing", () => {
	fc.assert(
		fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, at, flip) => {
			const message = { context: "rs.f.live.h.c", from: a.host };
			const sealed = sealer.seal({ ...message, epoch: "e", seq: 7, body });
			expect(sealer.open({ ...message, bytes: sealed })).toEqual({
				...{ ok: true, header: { key: 2, from: a.host, epoch: "e", seq: 7 } },
				body: Buffer.from(body),
			});
			const changed = Buffer.from(sealed);
			const place = at % changed.length;
			changed[place] = (changed[place] ?? 0) ^ flip;
			expect(sealer.open({ ...message, bytes: changed }).ok).toBe(false);
			expect(sealer.open({ ...message, context: "rs.f.live.h.other", bytes: sealed })).toEqual({ ok: false, reason: "forged" });
			expect(sealer.open({ ...message, from: b.host, bytes: sealed })).toEqual({ ok: false, reason: "wrong-host" });
			expect(createSealer("otherotherothero", ring(2)).open({ ...message, bytes: sealed }).ok).toBe(false);
		}),
		{ numRuns: 100 },
	);
});

test("[FL31] whatever bytes arrive, opening and reading say no and never throw", () => {
	fc.assert(
		fc.property(
			fc.oneof(
				bytes,
				fc.string().map((text) => Buffer.from(text)),
			),
			fc.string(),
			(hostile, text) => {
				expect(sealer.open({ context: "x", from: a.host, bytes: hostile }).ok).toBe(false);
				expect(readSigned(hostile)).toBeUndefined();
				expect(takeFromBox(a, "k", text)).toBeUndefined();
				expect(isSignedBy(text, hostile, text)).toBe(false);
				expect(a.agree(text)).toBeUndefined();
				expect(restoreHostKeys({ sign: text, box: text, signSecret: text, boxSecret: text })).toBeUndefined();
			},
		),
	);
	const start = Buffer.from([1, 2, 0]);
	expect(sealer.open({ context: "x", from: a.host, bytes: Buffer.concat([start, Buffer.alloc(600)]) })).toEqual({
		...{ ok: false, reason: "malformed" },
	});
});

test("[FL32] nothing is sealed with an older key than the fleet's newest, and live words under an older one are refused", () => {
	const message = { context: "x", from: a.host };
	const old = createSealer(FLEET, ring(1)).seal({ ...message, body: Buffer.from("copy") });
	expect(sealer.open({ ...message, bytes: old })).toEqual({ ok: false, reason: "old-key" });
	expect(sealer.open({ ...message, bytes: old, withOldKeys: true })).toMatchObject({ ok: true });
	const without = createSealer(FLEET, ring(undefined));
	expect(() => without.seal({ ...message, body: Buffer.alloc(1) })).toThrow(expect.objectContaining({ code: "fleet-refused" }));
	expect(createSealer(FLEET, { current: () => 9, find: () => undefined }).open({ ...message, bytes: old })).toEqual({
		...{ ok: false, reason: "unknown-key" },
	});
});

test("[FL33] the same words sealed twice look different, and keys of more hosts than are kept ready work as well", () => {
	const hosts = Array.from({ length: MAX_DERIVED_KEYS + 5 }, (_, index) =>
		base32(Buffer.from([index, index >> 8, 1, 2, 3, 4, 5, 6, 7, 8])),
	);
	const seal = (from: string) => sealer.seal({ context: "x", from, body: Buffer.from("w") });
	expect(new Set(Array.from({ length: 600 }, () => seal(a.host).toString("hex"))).size).toBe(600);
	expect([...hosts, ...hosts].every((from) => sealer.open({ context: "x", from, bytes: seal(from) }).ok)).toBe(true);
});

test("[FL34] a signature is of one signer, one kind and one text", () => {
	const signed = signText(a, a.host, "command", "run");
	expect(isSignatureOf(a.publicKeys.sign, "command", signed)).toBe(true);
	expect(readSigned(Buffer.from(JSON.stringify(signed)))).toEqual(signed);
	const others = [
		isSignatureOf(b.publicKeys.sign, "command", signed),
		isSignatureOf(a.publicKeys.sign, "answer", signed),
		isSignatureOf(a.publicKeys.sign, "command", { ...signed, payload: "run!" }),
		isSignatureOf(a.publicKeys.sign, "command", { ...signed, by: b.host }),
	];
	expect(others).toEqual([false, false, false, false]);
});

test("[FL35] a key in a box is for one host in one place; its commitment tells the right one", () => {
	const key = randomBytes(32);
	const box = putInBox(a.publicKeys.box, "key 2", key) ?? "";
	expect(takeFromBox(a, "key 2", box)).toEqual(key);
	expect([takeFromBox(b, "key 2", box), takeFromBox(a, "key 3", box), takeFromBox(a, "key 2", `${box.slice(0, -2)}AA`)]).toEqual([
		...[undefined, undefined, undefined],
	]);
	expect(commitmentOf(key)).not.toBe(commitmentOf(randomBytes(32)));
	// A point of small order would make a secret that everybody knows.
	expect([putInBox("A".repeat(43), "key 2", key), createEphemeralKey().agree("A".repeat(43))]).toEqual([undefined, undefined]);
});

test("[FL36] a host's name follows from its keys, however they are written, and kept keys come back only as a pair", () => {
	expect(a.host).toMatch(/^[a-z2-7]{16}$/);
	expect(restoreHostKeys(a.secretKeys)).toMatchObject({ host: a.host });
	expect(restoreHostKeys({ ...a.secretKeys, sign: b.publicKeys.sign })).toBeUndefined();
	expect(hostIdOf({ ...a.publicKeys, box: b.publicKeys.box })).not.toBe(a.host);
	const again = a.publicKeys.sign.slice(0, -1) + nextLetter(a.publicKeys.sign.slice(-1));
	expect(hostIdOf({ ...a.publicKeys, sign: again })).toBe(a.host);
});

/** 43 letters hold two bits more than 32 bytes: the next letter of four means the same. */
function nextLetter(letter: string): string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	return letters[letters.indexOf(letter) ^ 1] ?? "";
}

test("[FL37] base32 and the chain are what others compute", () => {
	expect(base32(Buffer.from("foobar"))).toBe("mzxw6ytboi");
	expect(base32(Buffer.from([0xff]))).toBe("74");
	expect(chainLink(CHAIN_START, "{}")).toMatch(/^[0-9a-f]{16}$/);
	const known = createHash("sha256").update('0123456789abcdef\n{"a":"字"}').digest("hex");
	expect(chainLink("0123456789abcdef", '{"a":"字"}')).toBe(known.slice(0, 16));
	expect(chainLink(chainLink(CHAIN_START, "a"), "b")).not.toBe(chainLink(chainLink(CHAIN_START, "b"), "a"));
});
