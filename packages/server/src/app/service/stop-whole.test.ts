import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import type { ServiceDeps } from "./service-deps.ts";
import { stopWhole } from "./stop-whole.ts";
import { serviceWords } from "./words.ts";

/** A service whose server ends after so many looks. */
function stop(looks: number) {
	let [nowMs, looked, stopped] = [0, 0, 0];
	const deps = {
		place: { home: tmpdir() },
		words: serviceWords("en"),
		manager: { stop: async () => void stopped++ },
		time: {
			now: () => nowMs,
			async wait(ms: number) {
				nowMs += ms;
			},
		},
	} as unknown as ServiceDeps;
	const done = stopWhole(deps, () => (looked++ < looks ? { process: " (process 7)" } : undefined));
	return done.then(() => ({ looked, stopped, nowMs }));
}

test("[SV78] the database is touched only when its server has let go of it; one that keeps it is named", async () => {
	expect(await stop(0)).toEqual({ looked: 1, stopped: 1, nowMs: 0 });
	expect(await stop(20)).toEqual({ looked: 21, stopped: 1, nowMs: 4_000 });
	await expect(stop(Number.POSITIVE_INFINITY)).rejects.toThrow(/\(process 7\)/);
});
