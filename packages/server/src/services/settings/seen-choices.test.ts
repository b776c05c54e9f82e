import { expect, test } from "vitest";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { SettingsStore } from "../../core/ports/store.ts";
import { createSeenChoices, MAX_SEEN_CHARS } from "./seen-choices.ts";

/** Settings in memory that count what is written. */
function settings(kept = new Map<string, string>()) {
	const written: string[] = [];
	const store: SettingsStore = {
		get: (key) => kept.get(key),
		set(key, value) {
			written.push(key);
			kept.set(key, value);
		},
		delete: (key) => void kept.delete(key),
	};
	return { store, kept, written };
}
const PLAN = { modes: [{ id: "agent", name: "Agent" }], efforts: [{ id: "high", name: "High" }] };

test("[AG401] what an agent offered is there after a restart, apart from other agents, and is written when it changes", () => {
	const { store, written } = settings();
	const seen = createSeenChoices(store, silentLogger);
	expect(seen.find("one")).toBeUndefined();
	seen.keep("one", PLAN);
	seen.keep("one", { ...PLAN, isRemembered: true });
	expect(written).toEqual(["agent.choices.one"]);
	seen.keep("one", { ...PLAN, efforts: [] });
	expect([written.length, seen.find("one")]).toEqual([2, { ...PLAN, efforts: [] }]);
	const after = createSeenChoices(store, silentLogger);
	expect([after.find("one"), after.find("two")]).toEqual([{ ...PLAN, efforts: [] }, undefined]);
	after.keep("one", { ...PLAN, efforts: [] });
	expect(written).toHaveLength(2);
});

test("[AG401] what is too large, what the disk refuses and what nobody understands is nothing, and costs no session", () => {
	const { store, written } = settings(
		new Map([
			["agent.choices.old", '{"modes":7}'],
			["agent.choices.cut", '{"modes":['],
		]),
	);
	const seen = createSeenChoices(store, silentLogger);
	expect([seen.find("old"), seen.find("cut")]).toEqual([undefined, undefined]);
	seen.keep("one", { modes: [{ id: "x".repeat(MAX_SEEN_CHARS), name: "" }], efforts: [] });
	expect([written, seen.find("one")]).toEqual([[], undefined]);
	store.set = () => {
		throw new RangeError("The disk is full.");
	};
	seen.keep("one", PLAN);
	expect(seen.find("one")).toBeUndefined();
});
