import { expect, test } from "vitest";
import { createFleetBed } from "./fleet-bed-harness.ts";

/** `sees`: how the desk sees the laptop. */
async function twoHosts() {
	const bed = createFleetBed();
	const [desk, laptop] = [bed.createHost("desk"), bed.createHost("laptop")];
	await bed.found(desk);
	await bed.join(laptop, desk);
	const sees = (state: string) => desk.fleet.hosts().some((host) => host.name === "laptop" && host.state === state);
	await bed.until(() => sees("online") && laptop.fleet.hosts().every(({ state }) => state === "online"), "each other");
	return { bed, desk, laptop, sees };
}

test("[FL158] a host that is not heard but renews its place makes this one leave its node; one that is gone does not", async () => {
	const { bed, desk, laptop, sees } = await twoHosts();
	desk.kept.isDeaf = true;
	await bed.until(() => desk.kept.nodesLeft > 0, "the other node");
	expect(laptop.kept.nodesLeft).toBe(0);
	desk.kept.isDeaf = false;
	await bed.until(() => sees("online"), "the laptop");
	await laptop.fleet.close();
	await bed.until(() => sees("offline"), "its end");
	await bed.clock.advance(20_000);
	expect(desk.kept.nodesLeft).toBe(1);
});

test("[FL336] a host that is not heard, and whose place cannot even be read, makes this one leave its node", async () => {
	const { bed, desk, laptop } = await twoHosts();
	desk.kept.isCut = true;
	const began = bed.clock.elapsed();
	await bed.until(() => desk.kept.nodesLeft > 0, "the other node");
	// Missed after three beats and looked at for four seconds; each look waits for two seconds, and not for five as the client would.
	expect(bed.clock.elapsed() - began).toBeLessThan(27_000);
	expect(laptop.kept.nodesLeft).toBe(0);
});

test("[FL336] while nobody can write, that the place of a host is as it was does not count as its end", async () => {
	const { bed, desk, laptop } = await twoHosts();
	for (const { kept } of [desk, laptop]) kept.isStuck = true;
	desk.kept.isDeaf = true;
	await bed.until(() => desk.kept.nodesLeft > 0, "the other node");
	expect(laptop.kept.nodesLeft).toBe(0);
});

test("[FL358] while a host that renews its place stays unheard, this one leaves its node again", async () => {
	const { bed, desk, sees } = await twoHosts();
	desk.kept.isDeaf = true;
	await bed.until(() => desk.kept.nodesLeft > 2, "the third node");
	desk.kept.isDeaf = false;
	await bed.until(() => sees("online"), "the laptop");
	const { nodesLeft } = desk.kept;
	await bed.clock.advance(120_000);
	expect(desk.kept.nodesLeft).toBe(nodesLeft);
});

test("[FL359] after a lost connection whoever was there and is not heard soon makes this one leave its node before it counts as silent", async () => {
	const { bed, desk } = await twoHosts();
	desk.kept.isDeaf = true;
	const began = bed.clock.elapsed();
	bed.engine.back();
	await bed.until(() => desk.kept.nodesLeft > 0, "the other node");
	// By its silence it would have been missed after three beats, and looked at for four seconds.
	expect(bed.clock.elapsed() - began).toBeLessThan(14_000);
});

test("[FL372] who is at the first node waits for the others, and leaves only if they do not come", async () => {
	const { bed, desk } = await twoHosts();
	Object.assign(desk.kept, { isDeaf: true, isAtFirst: true });
	const began = bed.clock.elapsed();
	bed.engine.back();
	await bed.until(() => desk.kept.nodesLeft > 0, "the other node");
	expect(bed.clock.elapsed() - began).toBeGreaterThan(18_000);
});
