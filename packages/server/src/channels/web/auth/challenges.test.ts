import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { CHALLENGE_MS, createChallenges } from "./challenges.ts";

test("[SE108] a challenge is open for whoever holds its seal, for its purpose, for five minutes and one answer", async () => {
	const clock = createFakeClock();
	const challenges = createChallenges(clock);
	const seal = challenges.seal("c1", "login");
	expect(challenges.isOpen("c1", "login", seal)).toBe(true);
	expect(challenges.isOpen("c2", "login", seal)).toBe(false);
	expect(challenges.isOpen("c1", "register", seal)).toBe(false);
	for (const wrong of [undefined, "", "x", seal.replace(/^\d/, "9"), `${seal}x`, createChallenges(clock).seal("c1", "login")]) {
		expect(challenges.isOpen("c1", "login", wrong)).toBe(false);
	}
	expect([challenges.spend("c1"), challenges.spend("c1")]).toEqual([true, false]);
	expect(challenges.isOpen("c1", "login", seal)).toBe(false);
	const late = challenges.seal("c3", "login");
	await clock.advance(CHALLENGE_MS);
	expect(challenges.isOpen("c3", "login", late)).toBe(false);
});

test("[SE108] however many challenges strangers ask for, the owner's stays open, and nothing is kept for them", () => {
	const challenges = createChallenges(createFakeClock());
	const seal = challenges.seal("mine", "login");
	for (let i = 0; i < 5_000; i += 1) challenges.seal(`theirs ${i}`, "login");
	expect(challenges.isOpen("mine", "login", seal)).toBe(true);
});
