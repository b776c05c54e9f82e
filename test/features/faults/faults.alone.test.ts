import { afterAll, beforeAll, expect, test } from "vitest";
import { FAULTS } from "../../faults/faults.ts";
import { playRound } from "../../faults/round.ts";
import { createWorld, type World } from "../../faults/world.ts";

/** The short form with a real page; `npm run faults` plays every fault. */
const SHORT = [
	["page-outage", "page-second-tab"],
	["page-send-reload", "kill-server"],
];

let world: World;
beforeAll(async () => {
	world = await createWorld({ browser: true });
});
afterAll(() => world.close());

test.each(SHORT.map((names, index) => ({ names, index })))(
	"[FT32] what the browser shows is what is stored, and what was typed there is stored once, after $names.0 and $names.1",
	async ({ names, index }) => {
		const faults = names.flatMap((name) => FAULTS.filter((fault) => fault.name === name));
		const result = await playRound(world, faults, 8_000 + index);
		expect(result.findings).toEqual([]);
	},
);
