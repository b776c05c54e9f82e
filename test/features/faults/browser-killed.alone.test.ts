import { afterAll, beforeAll, expect, test } from "vitest";
import { FAULTS } from "../../faults/faults.ts";
import { playRound } from "../../faults/round.ts";
import { createWorld, type World } from "../../faults/world.ts";

let world: World;
beforeAll(async () => {
	world = await createWorld({ browser: true });
});
afterAll(() => world.close());

test("[FT32] what the browser shows is what is stored, and what was typed there is stored once, after page-offline and page-killed", async () => {
	const faults = ["page-offline", "page-killed"].flatMap((name) => FAULTS.filter((fault) => fault.name === name));
	expect((await playRound(world, faults, 8_002)).findings).toEqual([]);
});
