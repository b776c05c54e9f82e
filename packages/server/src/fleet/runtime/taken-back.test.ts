import { expect, test } from "vitest";
import { createFleetBed } from "./fleet-bed-harness.ts";

test("[FL376] what came and went again before it was in the table is on no other host's list when the engine is back", async () => {
	const bed = createFleetBed();
	const [desk, laptop] = [bed.createHost("desk"), bed.createHost("laptop")];
	await bed.found(desk);
	await bed.join(laptop, desk);
	laptop.fake.create("c1");
	const listed = () => desk.fleet.conversations().map(({ id }) => id.slice(17));
	const waiting = () => desk.fleet.inbox().items.map(({ id }) => id.slice(17));
	await bed.until(() => listed().includes("c1"), "the list");
	// All of this is in the table.
	await bed.clock.advance(20_000);
	const item = { id: "done", kind: "finished" as const, conversationId: "c1", title: "t", why: "w", since: "2026-01-01T00:00:00Z" };
	laptop.kept.isCut = true;
	laptop.fake.setInbox({ items: [item], snoozed: [] });
	laptop.fake.create("c2");
	await bed.until(() => listed().includes("c2") && waiting().includes("done"), "what is said of it");

	// The engine is gone before it is written down, and somebody settles it meanwhile.
	bed.bus.cut(true);
	laptop.fake.setInbox({ items: [], snoozed: [] });
	laptop.fake.delete("c2");
	await bed.clock.advance(4_000);
	bed.bus.cut(false);
	laptop.kept.isCut = false;
	bed.engine.back();
	await bed.clock.advance(90_000);
	await bed.until(() => waiting().length === 0 && listed().length === 1, "that it is gone");
	expect([waiting(), listed()]).toEqual([[], ["c1"]]);
});
