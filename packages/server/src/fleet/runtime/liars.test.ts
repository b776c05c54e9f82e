import { beatSchema } from "@rightseat/protocol/fleet/beat";
import { expect, test } from "vitest";
import { createSealer } from "../crypto/seal.ts";
import { readCard, writeCard } from "../hosts/entries.ts";
import { subjects } from "../subjects.ts";
import { createFleetBed } from "./fleet-bed-harness.ts";

test("[FL295] a host that lies about times, names and sizes shows nothing of it, and the others go on", async () => {
	const bed = createFleetBed();
	const [desk, laptop] = [bed.createHost("desk"), bed.createHost("laptop")];
	await bed.found(desk);
	await bed.join(laptop, desk);
	laptop.fake.create("c1");
	await bed.until(() => desk.fleet.conversations().length === 1, "the list");
	const [[honest], identity, roster] = [desk.fleet.conversations(), await laptop.home.find(), await bed.rosterOf(laptop)];
	const { fleet = "", keys } = identity ?? {};
	const sealer = createSealer(fleet, roster.held);
	if (keys === undefined || honest === undefined) throw new Error("The laptop is missing.");
	const { host: _, ...conversation } = { ...honest, id: "c2" };
	const said = [
		{ kind: "put", at: 9_000_000_000_000_000, conversation },
		{ kind: "put", at: 1, conversation: { ...conversation, title: "x".repeat(40_000) } },
		{ kind: "put", at: 1, conversation: { ...conversation, id: `${await desk.host()}_c1_which_is_far_too_long_for_this` } },
		{ kind: "put", at: 1, conversation: { ...conversation, id: "a.>" } },
		{ kind: "gone", at: 1, id: "../c1" },
	];
	const subject = subjects.card(fleet, keys.host);
	const seal = (value: object) => sealer.seal({ context: subject, from: keys.host, body: Buffer.from(JSON.stringify(value)) });
	for (const each of said) bed.bus.publish(subject, seal(each));
	await bed.clock.advance(1_000);
	expect(desk.fleet.conversations()).toEqual([honest]);
	expect(desk.fleet.hosts().map(({ name, state }) => `${name} ${state}`)).toEqual(["desk online", "laptop online"]);

	const card = { host: keys.host, name: "laptop", version: "1", protocol: { min: 1, max: 1 }, platform: "linux", since: 1 };
	const reader = { fleet, host: keys.host, signKey: keys.publicKeys.sign, sealer };
	const read = (more: object) => readCard(reader, writeCard({ fleet, keys, sealer }, { ...card, ...more }));
	// Words are words, whatever they mean elsewhere.
	expect(read({ name: "<b>café 字 👩‍💻</b>" })?.name).toBe("<b>café 字 👩‍💻</b>");
	const lies = [
		...[{ name: "x".repeat(10_000) }, { name: "\u001b[2J" }, { name: "a\u202eb" }, { name: "a\nb" }],
		...[{ since: 9e15 }, { platform: "x".repeat(99) }, { host: await desk.host() }],
	];
	for (const lie of lies) expect(read(lie), JSON.stringify(lie).slice(0, 40)).toBeUndefined();
	expect(readCard(reader, "x".repeat(10_000_000))).toBeUndefined();
	expect(beatSchema.safeParse({ clock: 9e15 }).error?.issues.some(({ path }) => path[0] === "clock")).toBe(true);
});
