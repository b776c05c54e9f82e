import { afterAll, beforeAll, expect, test } from "vitest";
import { FAULTS } from "../../faults/faults.ts";
import { playRound } from "../../faults/round.ts";
import { createWorld, type World } from "../../faults/world.ts";

/** The short form: the faults that break most, once each; a cut model is played by the command itself (AR477). `npm run faults` is the long one. */
const SHORT = [
	...["kill-server", "stop-mid-text", "kill-runtime", "clock-jump", "kill-shell", "freeze-network", "half-open", "flood"],
	...["write-refused", "dead-mount", "corrupt-database", "telegram-lost-response"],
];

let world: World;
beforeAll(async () => {
	world = await createWorld();
});
afterAll(() => world.close());

test.each(FAULTS.filter((fault) => SHORT.includes(fault.name)).map((fault, index) => ({ ...fault, index })))(
	"[FT1] nothing is lost, doubled or run twice when $breaks",
	async (fault) => {
		const reason = fault.missing?.(world);
		if (reason !== undefined) return console.warn(`${fault.name} was left out: ${reason}`);
		const result = await playRound(world, [fault], 9_000 + fault.index);
		expect(result.findings).toEqual([]);
	},
	240_000,
);

test("[FT20] nothing reaches a person who is removed in mid-answer, also after a kill", async () => {
	const fault = FAULTS.filter(({ name }) => name === "removed-person");
	expect((await playRound(world, fault, 9_100)).findings).toEqual([]);
}, 240_000);

// A seed of its own for each: what a round writes is named by it, and told apart from the others by that.
test.each([
	{ name: "form-kill-server", seed: 9_200 },
	{ name: "delete-kill-server", seed: 9_201 },
])(
	"[FT18] nothing is lost, granted or left behind: $name",
	async ({ name, seed }) => {
		const fault = FAULTS.filter((each) => each.name === name);
		expect((await playRound(world, fault, seed)).findings).toEqual([]);
	},
	240_000,
);

test("[FT2] after all of it the database is whole", async () => {
	expect(await world.integrity()).toBe("ok");
	await world.revive();
});
