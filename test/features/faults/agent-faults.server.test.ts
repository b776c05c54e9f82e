import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf } from "../../faults/faults.ts";
import { playRound } from "../../faults/round.ts";
import { createWorld, type World } from "../../faults/world.ts";

/** The short form with an agent over ACP in the seat: the fault that touches most. `npm run faults` plays all of them. */
const SHORT = "agent-permission-kill-server";

let world: World;
beforeAll(async () => {
	world = await createWorld({ pilot: "acp" });
});
afterAll(() => world.close());

test("[FT40] with an agent over ACP nothing is lost, run twice, granted unseen or left behind when the server is killed while it asks", async () => {
	const faults = faultsOf("acp").filter(({ name }) => name === SHORT);
	expect((await playRound(world, faults, 7_000)).findings).toEqual([]);
}, 240_000);
