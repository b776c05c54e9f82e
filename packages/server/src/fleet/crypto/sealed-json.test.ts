import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { subjects } from "../subjects.ts";
import { createSealer } from "./seal.ts";
import { openBeat, openEvent, sealBeat, sealEvent } from "./sealed-json.ts";

const FLEET = "fleetfleetfleetf";
const [HOST, OTHER] = ["abcdefgh234567ab", "bbcdefgh234567ab"];
const key = randomBytes(32);
const sealer = createSealer(FLEET, { current: () => 1, find: () => key });
const place = { fleet: FLEET, host: HOST, conversationId: "c1" };
const event = { generation: 1, epoch: "e", seq: 3, chain: "0".repeat(16), frame: '{"type":"x"}' };
const beat = {
	host: HOST,
	instance: "run-00001",
	number: 1,
	intervalMs: 5_000,
	clock: 1,
	revision: 0,
	members: { version: 1, head: "" },
	heads: [],
};

test("[FL40] an event and a beat come back from their own subject, and from no other", () => {
	const { subject, bytes } = sealEvent(sealer, place, event, 10_000);
	expect([subject, openEvent(sealer, place, bytes)]).toEqual([subjects.live(FLEET, HOST, "c1"), event]);
	expect([openEvent(sealer, { ...place, conversationId: "c2" }, bytes), openEvent(sealer, { ...place, host: OTHER }, bytes)]).toEqual([
		...[undefined, undefined],
	]);
	const sealed = sealBeat(sealer, FLEET, beat).bytes;
	expect([openBeat(sealer, FLEET, HOST, sealed), openBeat(sealer, FLEET, OTHER, sealed)]).toEqual([beat, undefined]);
	const context = subjects.beat(FLEET, OTHER);
	const lying = sealer.seal({ context, from: OTHER, body: Buffer.from(JSON.stringify(beat)) });
	expect(openBeat(sealer, FLEET, OTHER, lying)).toBeUndefined();
});

test("[FL41] an event that is too large for one message goes out without its words, with its place", () => {
	const { frame: _, ...stub } = event;
	const { bytes } = sealEvent(sealer, place, { ...event, frame: "x".repeat(5_000) }, 4_000);
	expect([bytes.length < 4_000, openEvent(sealer, place, bytes)]).toEqual([true, stub]);
});

test("[FL31] hostile bytes are neither an event nor a beat, sealed or not", () => {
	const bodies = fc.oneof(
		fc.uint8Array(),
		fc.json().map((text) => Buffer.from(text)),
	);
	fc.assert(
		fc.property(bodies, (body) => {
			const [live, beats] = [subjects.live(FLEET, HOST, "c1"), subjects.beat(FLEET, HOST)];
			for (const bytes of [body, sealer.seal({ context: live, from: HOST, body })]) expect(openEvent(sealer, place, bytes)).toBeUndefined();
			for (const bytes of [body, sealer.seal({ context: beats, from: HOST, body })])
				expect(openBeat(sealer, FLEET, HOST, bytes)).toBeUndefined();
		}),
	);
});
