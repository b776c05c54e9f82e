import { expect, test } from "vitest";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { SettingsStore } from "../../core/ports/store.ts";
import { createSeenAgents, MAX_SEEN_CHARS } from "./seen-agents.ts";

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
const CHOICES = { modes: [{ id: "agent", name: "Agent" }], efforts: [{ id: "high", name: "High" }] };
const CAN = { resume: true, steer: false, models: true, images: false, sharedShell: true };
const SEEN = { choices: CHOICES, capabilities: CAN };
const LESS = { choices: { ...CHOICES, efforts: [] }, capabilities: CAN };

test("[AG401] what an agent offered and could is there after a restart, apart from other agents, and is written when it changes", () => {
	const { store, written } = settings();
	const seen = createSeenAgents(store, silentLogger);
	expect(seen.find("one")).toBeUndefined();
	seen.keep("one", SEEN);
	seen.keep("one", { choices: { ...CHOICES }, capabilities: CAN });
	expect(written).toEqual(["agent.seen.one"]);
	seen.keep("one", LESS);
	expect([written.length, seen.find("one")]).toEqual([2, LESS]);
	const after = createSeenAgents(store, silentLogger);
	expect([after.find("one"), after.find("two")]).toEqual([LESS, undefined]);
	after.keep("one", LESS);
	expect(written).toHaveLength(2);
});

test("[AG401] what is too large, what the disk refuses and what nobody understands is nothing, and costs no session", () => {
	const { store, written } = settings(
		new Map([
			["agent.seen.old", '{"choices":7}'],
			["agent.seen.cut", '{"modes":['],
		]),
	);
	const seen = createSeenAgents(store, silentLogger);
	expect([seen.find("old"), seen.find("cut")]).toEqual([undefined, undefined]);
	seen.keep("one", { choices: { modes: [{ id: "x".repeat(MAX_SEEN_CHARS), name: "" }], efforts: [] }, capabilities: CAN });
	expect([written, seen.find("one")]).toEqual([[], undefined]);
	store.set = () => {
		throw new RangeError("The disk is full.");
	};
	seen.keep("one", SEEN);
	expect(seen.find("one")).toBeUndefined();
});
