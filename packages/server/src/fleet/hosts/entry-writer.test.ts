import { expect, test, vi } from "vitest";
import type { Bucket } from "../bus.ts";
import { createCommandBed } from "../commands/command-bed-harness.ts";
import { createForwardClock } from "../forward-clock.ts";
import { cardOf, inboxKey, listKey, readInbox, readList } from "./entries.ts";
import { createEntryWriter } from "./entry-writer.ts";
import { createStamps } from "./stamps.ts";

/** A host that writes its entries. */
function createWriterBed() {
	const { bus, clock, fleet, sealer, owner } = createCommandBed();
	const [bucket, { keys }] = [bus.bucket("hosts"), owner];
	const reader = { fleet, host: keys.host, signKey: keys.publicKeys.sign, sealer };
	/** Its next run, with a table that answers as it is told. */
	function start(table: Bucket = bucket) {
		const stamps = createStamps(createForwardClock(clock));
		const writer = createEntryWriter({
			...{ fleet, keys, sealer, bucket: table, clock, stamps, instance: "run-0001" },
			...{ isServing: () => true, keyNumber: () => 1, onWritten: () => undefined, conversations: () => [] },
			card: () => cardOf({ host: keys.host, name: "laptop", since: 1, version: "1" }),
			inbox: () => ({ items: [], snoozed: [] }),
		});
		return { stamps, writer };
	}
	/** When the list and the inbox in the table were made. */
	const stampsOf = async () => {
		const [list, inbox] = await Promise.all([bucket.get(listKey(keys.host)), bucket.get(inboxKey(keys.host))]);
		return [(await readList(reader, list?.value ?? ""))?.at ?? 0, (await readInbox(reader, inbox?.value ?? ""))?.at ?? 0] as const;
	};
	return { clock, bucket, start, stampsOf };
}

test("[FL161] what is told while the engine takes its time with the entries is later than they are", async () => {
	const { clock, bucket, start, stampsOf } = createWriterBed();
	let answer: () => void = () => undefined;
	const slow = new Promise<void>((resolve) => {
		answer = resolve;
	});
	let isAsked = false;
	const { stamps, writer } = start({
		...bucket,
		async get(key) {
			isAsked ||= key.startsWith("card.");
			if (key.startsWith("card.")) await slow;
			return await bucket.get(key);
		},
	});
	await vi.waitFor(async () => {
		await clock.advance(1_000);
		expect(isAsked).toBe(true);
	});
	const told = stamps.next();
	answer();
	const [list, inbox] = await vi.waitFor(async () => {
		await clock.advance(100);
		const found = await stampsOf();
		expect(Math.min(...found)).toBeGreaterThan(0);
		return found;
	});
	expect([list < told, inbox < told]).toEqual([true, true]);
	await writer.close();
});

test("[FL370] what a host says after its clock was set back is later than what it said before, also after a restart", async () => {
	const { clock, start, stampsOf } = createWriterBed();
	/** The entries of a run that has just begun. */
	const told = async () => {
		const old = await stampsOf();
		return await vi.waitFor(async () => {
			await clock.advance(1_000);
			const [list, inbox] = await stampsOf();
			expect(list).not.toBe(old[0]);
			expect(inbox).not.toBe(old[1]);
			return { list, inbox };
		}, 10_000);
	};
	const first = start();
	const before = await told();
	expect(before.list).toBeGreaterThan(0);
	const said = first.stamps.next();
	clock.jump(-3_600_000);
	expect(first.stamps.next()).toBeGreaterThan(said);
	await first.writer.close();

	const second = start();
	const after = await told();
	expect(after.list).toBeGreaterThan(before.list);
	expect(after.inbox).toBeGreaterThan(before.inbox);
	expect(second.stamps.next()).toBeGreaterThan(after.inbox);
	await second.writer.close();
});
