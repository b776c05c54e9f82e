import { expect, test } from "vitest";
import { conversationId } from "../../core/kernel/ids.ts";
import { createView } from "./fake-owner-harness.ts";
import { createFleetBed } from "./fleet-bed-harness.ts";

test("[FL374] after a restart that was too quick to be missed a page shows what its owner has now, also where nothing happens any more", async () => {
	const bed = createFleetBed();
	const [desk, laptop] = [bed.createHost("desk"), bed.createHost("laptop")];
	await bed.found(desk);
	await bed.join(laptop, desk);
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
