import { expect, test } from "vitest";
import { createCommandBed } from "../commands/command-bed-harness.ts";
import { sealBeat } from "../crypto/sealed-json.ts";
import { cardOf, writeCard } from "./entries.ts";
import { createOthers } from "./others.ts";

/** One other host, whose entries are asked for at a table that may not answer. */
function bedOfOne() {
	const { bus, clock, fleet, members, sealer, owner, console: own } = createCommandBed();
	const table = { asked: 0, isDown: false };
	const card = writeCard({ fleet, keys: owner.keys, sealer }, cardOf({ host: owner.keys.host, name: "owner", since: 1, version: "1" }));
	const bucket = {
		get(key: string) {
			const isCard = key.startsWith("card.");
			if (isCard) table.asked += 1;
			return table.isDown ? Promise.reject(new Error("no answer")) : Promise.resolve(isCard ? { value: card, revision: 1 } : undefined);
		},
		put: () => Promise.resolve(undefined),
	};
	const silent: string[] = [];
	const proof = { asked: 0, isThere: false };
	const others = createOthers({
		...{ fleet, self: own.keys.host, bus, sealer, members, bucket, clock, onBeat: () => undefined, onUnopened: () => undefined },
		prove() {
			proof.asked += 1;
			return Promise.resolve(proof.isThere);
		},
		...{ onSilent: (host) => void silent.push(host), onChange: () => undefined },
	});
	let number = 0;
	async function beat(revision: number, run = { instance: "run-00001", run: 7 }): Promise<number> {
		number += 1;
		const said = { host: owner.keys.host, ...run, number, intervalMs: 5_000, clock: clock.now(), revision };
		const { subject, bytes } = sealBeat(sealer, fleet, { ...said, members: members.position(), heads: [] });
		bus.publish(subject, bytes);
		await clock.advance(1);
		return takeAsked();
	}
	function takeAsked(): number {
		const { asked } = table;
		table.asked = 0;
		return asked;
	}
	const isOnline = () => others.table.find(owner.keys.host)?.state === "online";
	return { clock, table, silent, proof, others, beat, isOnline, takeAsked };
}

test("[FL377] a silent host of which beats of an earlier run come is asked, once in five seconds, and counts as there when it answers", async () => {
	const { clock, proof, others, beat, isOnline } = bedOfOne();
	const earlier = { instance: "run-00000", run: 3 };
	await beat(1);
	await beat(1, earlier);
	expect([proof.asked, isOnline()]).toEqual([0, true]);
	await clock.advance(16_000);
	for (let time = 0; time < 100; time += 1) await beat(1, earlier);
	expect([proof.asked, isOnline()]).toEqual([1, false]);
	proof.isThere = true;
	await clock.advance(5_000);
	await beat(1, earlier);
	expect([proof.asked, isOnline()]).toEqual([2, true]);
	others.close();
});

test("[FL354] a host's entries are read when its beats name others than were read, until they are read, and beside that once a minute", async () => {
	const { clock, table, others, beat, takeAsked } = bedOfOne();
	await clock.advance(1);
	expect([takeAsked(), await beat(1), await beat(1), await beat(2), await beat(2)]).toEqual([1, 1, 0, 1, 0]);
	table.isDown = true;
	expect([await beat(3), await beat(3)]).toEqual([1, 1]);
	table.isDown = false;
	expect([await beat(3), await beat(3)]).toEqual([1, 0]);
	// After a lost connection: who is there and has said nothing new is not read again.
	others.refresh();
	await clock.advance(1);
	expect(takeAsked()).toBe(0);
	let asked = 0;
	for (let second = 0; second < 600; second += 5) {
		await clock.advance(5_000);
		asked += await beat(3);
	}
	expect([9, 10, 11]).toContain(asked);
	others.close();
});

test("[FL354] a host that has become silent is read once more: what its last beats named may be lost", async () => {
	const { clock, silent, others, beat, takeAsked } = bedOfOne();
	await beat(1);
	takeAsked();
	await clock.advance(14_000);
	const before = takeAsked();
	await clock.advance(2_000);
	expect([before, silent.length, takeAsked()]).toEqual([0, 1, 1]);
	others.close();
});
