import { expect, test } from "vitest";
import { corePart } from "../simulation/core/core-part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { pagesPart } from "../simulation/pages/pages-part.ts";
import { playRounds, seedOf } from "../simulation/run/rounds.ts";
import { telegramPart } from "../simulation/telegram/telegram-part.ts";

const PARTS = [corePart, { ...telegramPart, joinsEvery: 1 }];
/** Each with the rule that keeps it since. */
const MENDED = [
	21_034_779, // TG580
];

test("[SM40] the same seed gives the same round with the Telegram channel in it", async () => {
	const [one, other] = [await play(makePlan(5, PARTS), PARTS), await play(makePlan(5, PARTS), PARTS)];
	expect([other.hash, other.simulatedMs, [...other.counts]]).toEqual([one.hash, one.simulatedMs, [...one.counts]]);
});

test("[SM41] some rounds with two people in chats break no promise", async () => {
	const { failed, rounds } = await playRounds(
		Array.from({ length: 12 }, (_, round) => seedOf(9, round)),
		PARTS,
	);
	expect([failed, rounds]).toEqual([[], 12]);
});

test("[SM41] rounds that broke a promise once, with pages beside the chats, break none", async () => {
	const { failed, rounds } = await playRounds(MENDED, [corePart, pagesPart, telegramPart]);
	expect([failed, rounds]).toEqual([[], MENDED.length]);
});
