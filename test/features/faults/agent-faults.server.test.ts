import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf } from "../../faults/faults.ts";
import { playRound } from "../../faults/round.ts";
import { createWorld, type World } from "../../faults/world.ts";

/** The short form with an agent over ACP in the seat; `npm run faults` plays all of its faults. */
const SHORT = ["agent-kill", "agent-permission-kill-server"];

let world: World;
beforeAll(async () => {
	world = await createWorld({ pilot: "acp" });
});
afterAll(() => world.close());

test.each(
	faultsOf("acp")
		.filter(({ name }) => SHORT.includes(name))
		.map((fault, index) => ({ ...fault, index })),
)(
	"[FT40] with an agent over ACP nothing is lost, doubled, run twice, granted unseen or left behind when $breaks",
	async (fault) => {
		expect((await playRound(world, [fault], 7_000 + fault.index)).findings).toEqual([]);
	},
	240_000,
);
