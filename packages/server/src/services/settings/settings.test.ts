import { expect, test } from "vitest";
import { AppError } from "../../core/kernel/errors.ts";
import type { SettingsStore } from "../../core/ports/store.ts";
import { createSettings, decideFirstRun } from "./settings.ts";

function memory(): SettingsStore {
	const kept = new Map<string, string>();
	return { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value), delete: (key) => void kept.delete(key) };
}

test("[PG780] a new home has its first steps before it; one that was in use has not, and what was decided once stays", () => {
	const fresh = memory();
	expect(decideFirstRun(fresh, { isUsed: false })).toBe("due");
	expect(decideFirstRun(fresh, { isUsed: true })).toBe("due");
	const used = memory();
	expect(decideFirstRun(used, { isUsed: true })).toBe("done");
	expect(decideFirstRun(used, { isUsed: false })).toBe("done");
	const full = memory();
	full.set = () => {
		throw new AppError("storage-read-only", "The disk is full.");
	};
	expect(decideFirstRun(full, { isUsed: false })).toBe("due");
});

test("[PG780] finished on one device they are finished for all, over restarts, until somebody asks for them again", () => {
	const store = memory();
	const start = () => createSettings(store, { permissions: "auto", firstRun: decideFirstRun(store, { isUsed: false }) });
	expect(start().get().firstRun).toBe("due");
	start().update({ firstRun: "done" });
	expect(start().get().firstRun).toBe("done");
	start().update({ firstRun: "due" });
	expect(start().get().firstRun).toBe("due");
});

test("[PG781] a change keeps nothing but itself: defaults that are configured otherwise later still count", () => {
	const store = memory();
	createSettings(store, { permissions: "auto", firstRun: "done" }).update({ notifyTurnEnd: false });
	expect(createSettings(store, { permissions: "ask", firstRun: "due" }).get()).toMatchObject({
		permissions: "ask",
		firstRun: "due",
		notifyTurnEnd: false,
	});
});
