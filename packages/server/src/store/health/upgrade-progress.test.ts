import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createUpgradeProgress } from "./upgrade-progress.ts";

test("[ST202] a long upgrade says what it does and, every other second, how far it is", async () => {
	const clock = createFakeClock();
	const told: string[] = [];
	const progress = createUpgradeProgress(clock, (sentence) => void told.push(sentence));
	progress.step("making a backup before the upgrade", 1_000_000_000);
	for (let percent = 0; percent <= 100; percent += 5) {
		progress.share(percent / 100);
		await clock.advance(500);
	}
	progress.end();
	expect(told).toEqual([
		"storage: making a backup before the upgrade, 1000 MB",
		...[0, 20, 40, 60, 80, 100].map((percent) => `storage: upgrading, ${percent} %`),
		"storage: up to date after 11 s",
	]);
});

test("[ST202] of a small database nothing is said", () => {
	const told: string[] = [];
	const progress = createUpgradeProgress(createFakeClock(), (sentence) => void told.push(sentence));
	progress.step("making a backup before the upgrade", 1_000_000);
	progress.share(0.5);
	progress.end();
	expect(told).toEqual([]);
});
