import { expect, test } from "vitest";
import { conversationId } from "../../core/kernel/ids.ts";
import { createView } from "./fake-owner-harness.ts";
import { createFleetBed } from "./fleet-bed-harness.ts";

async function twoHosts() {
	const bed = createFleetBed();
	const [desk, laptop] = [bed.createHost("desk"), bed.createHost("laptop")];
	await bed.found(desk);
	await bed.join(laptop, desk);
	return { bed, desk, laptop };
}

type Bed = ReturnType<typeof createFleetBed>;

async function dieUnheard({ bus, clock }: Bed, { fleet }: ReturnType<Bed["createHost"]>): Promise<void> {
	bus.cut(true);
	const closing = fleet.close();
	await clock.advance(3_000);
	await closing;
	bus.cut(false);
}

test("[FL374] after a restart that was too quick to be missed a page shows what its owner has now, also where nothing happens any more", async () => {
	const { bed, desk, laptop } = await twoHosts();
	laptop.fake.create("c1");
	for (const word of ["kept", "lost"]) laptop.fake.say("c1", word);
	await bed.until(() => desk.fleet.conversations().length === 1, "the list");
	const view = createView();
	desk.fleet.watch(conversationId(`${await laptop.host()}_c1`), view.reader);
	await bed.until(() => view.words().length === 2, "the words");

	// It dies without a goodbye, its disk is put back, and it is there again before anybody missed it.
	const diedAt = bed.clock.elapsed();
	bed.bus.cut(true);
	await laptop.fleet.close();
	bed.bus.cut(false);
	const again = bed.createHost("laptop", laptop.home);
	again.fake.create("c1");
	again.fake.say("c1", "kept");
	// Nothing was said since, so its beats do not name the conversation.
	again.fake.owner.heads = () => [];
	await again.fleet.start();
	await bed.until(() => view.words().length === 1, "what the owner has");
	expect(view.words()).toEqual(["kept"]);
	expect(bed.clock.elapsed() - diedAt).toBeLessThan(14_000);
	expect(desk.fleet.hosts().map(({ state }) => state)).toEqual(["online", "online"]);
});

test("[FL370] what the next run of a host says counts, also when its clock was set back and its last words did not reach the table", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const item = (id: string) => ({
		id,
		kind: "finished" as const,
		conversationId: "c1",
		title: "t",
		why: "w",
		since: "2026-01-01T00:00:00Z",
	});
	const shown = () => desk.fleet.inbox().items.map(({ id }) => id.slice(17));
	await bed.until(() => desk.fleet.hosts().every(({ state }) => state === "online"), "each other");
	bed.clock.jump(-3_600_000);
	laptop.fake.setInbox({ items: [item("first")], snoozed: [] });
	await bed.until(() => shown().includes("first"), "the first item");
	laptop.fake.setInbox({ items: [item("second")], snoozed: [] });
	await bed.until(() => shown().includes("second"), "the second item");
	// It dies before that is in the table, and without a goodbye.
	laptop.kept.isCut = true;
	await dieUnheard(bed, laptop);
	const again = bed.createHost("laptop", laptop.home);
	again.fake.setInbox({ items: [item("third")], snoozed: [] });
	await again.fleet.start();
	await bed.until(() => shown().includes("third"), "what the next run says");
	expect(shown()).toEqual(["third"]);
});

test("[FL370] what the run before had in the table does not take back what it told after that", async () => {
	const { bed, desk, laptop } = await twoHosts();
	laptop.fake.create("c1");
	const shown = () => desk.fleet.conversations().map(({ id }) => id.slice(17));
	await bed.until(() => shown().includes("c1"), "the list");
	await bed.clock.advance(20_000);
	// It is told, and dies before that is in the table.
	laptop.kept.isMute = true;
	laptop.fake.create("c2");
	await bed.until(() => shown().includes("c2"), "the second one");
	await dieUnheard(bed, laptop);
	const again = bed.createHost("laptop", laptop.home);
	for (const id of ["c1", "c2"]) again.fake.create(id);
	// Its first beat is heard before its list is in the table.
	again.kept.isMute = true;
	const seen: string[][] = [];
	desk.fleet.onChange(() => seen.push(shown()));
	await again.fleet.start();
	await bed.clock.advance(20_000);
	again.kept.isMute = false;
	await bed.clock.advance(20_000);
	expect(shown().sort()).toEqual(["c1", "c2"]);
	expect(seen.filter((ids) => !ids.includes("c2"))).toEqual([]);
});

test("[FL377] a host is heard again although its disk, the engine's table and its clock were all set back; a recorded beat is not", async () => {
	const { bed, desk, laptop } = await twoHosts();
	const [{ bus, clock, engine }, id] = [bed, await laptop.host()];
	const state = () => desk.fleet.hosts().find((host) => host.id === id)?.state;
	const restart = async (last: typeof laptop) => {
		const next = bed.createHost("laptop", last.home);
		await next.fleet.start();
		return next;
	};
	await bed.until(() => state() === "online", "each other");
	const isBeat = ({ subject }: { subject: string }) => subject.includes("beat") && subject.endsWith(id);
	const recorded = () => bus.heard.filter(isBeat);
	await dieUnheard(bed, laptop);
	const before = recorded().length;
	const second = await restart(laptop);
	await bed.until(() => recorded().length > before + 2, "the second run");
	await dieUnheard(bed, second);
	await bed.until(() => state() === "offline", "its silence");

	clock.jump(-3 * 3_600_000);
	engine.forget();
	const last = recorded();
	const third = await restart(second);
	await bed.until(() => state() === "online", "the third run");
	await dieUnheard(bed, third);
	await bed.until(() => state() === "offline", "its silence again");
	// Whoever runs the engine says all of it again, and nobody is there to stand up for it.
	for (const { subject, bytes } of last) {
		bus.publish(subject, bytes);
		await clock.advance(1_000);
		expect(state()).toBe("offline");
	}
});
