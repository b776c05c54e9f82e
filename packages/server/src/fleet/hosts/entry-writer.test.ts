import { expect, test, vi } from "vitest";
import { createCommandBed } from "../commands/command-bed-harness.ts";
import { createForwardClock } from "../forward-clock.ts";
import { cardOf, inboxKey, listKey, readInbox, readList } from "./entries.ts";
import { createEntryWriter } from "./entry-writer.ts";
import { createStamps } from "./stamps.ts";

test("[FL370] what a host says after its clock was set back is later than what it said before, also after a restart", async () => {
	const { bus, clock, fleet, sealer, owner } = createCommandBed();
	const [bucket, { keys }] = [bus.bucket("hosts"), owner];
	const reader = { fleet, host: keys.host, signKey: keys.publicKeys.sign, sealer };
	function start() {
		const stamps = createStamps(createForwardClock(clock));
		const writer = createEntryWriter({
			...{
				fleet,
				keys,
				sealer,
				bucket,
				clock,
				stamps,
				instance: "run-0001",
				isServing: () => true,
				keyNumber: () => 1,
				onWritten: () => undefined,
			},
			...{ card: () => cardOf({ host: keys.host, name: "laptop", since: 1, version: "1" }), conversations: () => [] },
			inbox: () => ({ items: [], snoozed: [] }),
		});
		return { stamps, writer };
	}
	const stampsOf = async () => {
		const [list, inbox] = await Promise.all([bucket.get(listKey(keys.host)), bucket.get(inboxKey(keys.host))]);
		return [(await readList(reader, list?.value ?? ""))?.at ?? 0, (await readInbox(reader, inbox?.value ?? ""))?.at ?? 0] as const;
	};
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
