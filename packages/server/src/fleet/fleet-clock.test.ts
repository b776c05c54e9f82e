import { expect, test } from "vitest";
import { systemClock } from "../core/kernel/clock.ts";
import { withBoot } from "./fleet-clock.ts";

test("[FL92] the clock since the machine's start counts milliseconds, as the others do", async () => {
	const clock = withBoot(systemClock);
	const start = { sinceBoot: clock.sinceBoot(), elapsed: clock.elapsed() };
	await expect.poll(() => clock.sinceBoot() - start.sinceBoot, { timeout: 10_000 }).toBeGreaterThanOrEqual(900);
	const passedMs = clock.elapsed() - start.elapsed;
	// Whole seconds on some systems.
	expect(Math.abs(clock.sinceBoot() - start.sinceBoot - passedMs)).toBeLessThanOrEqual(1_100);
});
