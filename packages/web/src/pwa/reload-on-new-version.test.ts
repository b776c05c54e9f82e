import { expect, test } from "vitest";
import { RELOAD_PAUSE_MS, reloadOnNewVersion } from "./reload-on-new-version.ts";

test("[PG91] a part that is gone after an update reloads the page once, not for ever", () => {
	const target = new EventTarget();
	const kept = new Map<string, string>();
	let now = 1_000_000;
	let reloads = 0;
	const stop = reloadOnNewVersion(target, {
		storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
		now: () => now,
		reload: () => {
			reloads += 1;
		},
	});
	const missing = () => target.dispatchEvent(new Event("vite:preloadError", { cancelable: true }));
	expect([missing(), missing(), reloads]).toEqual([false, true, 1]);
	now += RELOAD_PAUSE_MS;
	missing();
	stop();
	now += RELOAD_PAUSE_MS;
	missing();
	expect(reloads).toBe(2);
});
