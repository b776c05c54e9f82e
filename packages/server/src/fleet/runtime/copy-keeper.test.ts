import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import { createHostKeys } from "../crypto/host-keys.ts";
import { createSealer } from "../crypto/seal.ts";
import { createCopyKeeper } from "./copy-keeper.ts";
import { createFakeOwner } from "./fake-owner-harness.ts";

/** A keeper whose engine can be away; `kept` are the conversations in the order in which they were kept. */
function createBed(conversations = 3) {
	const [clock, keys, key] = [createFakeClock(), createHostKeys(), randomBytes(32)];
	const { owner: fake, create } = createFakeOwner();
	let packing = 0;
	const owner: typeof fake = {
		...fake,
		snapshot(id) {
			packing += 1;
			return fake.snapshot(id);
		},
	};
	for (let index = 0; index < conversations; index++) create(`c${index}`);
	const engine = { isAway: false, tries: 0 };
	const kept: string[] = [];
	const keeper = createCopyKeeper({
		...{ fleet: createHostKeys().host, keys, owner, clock, maxBytes: () => 100_000, onChange: () => undefined },
		sealer: createSealer("f", { current: () => 1, find: () => key }),
		copies: {
			async keep(parts) {
				engine.tries += 1;
				packing -= 1;
				if (engine.isAway) throw new AppError("fleet-not-connected", "Away.");
				kept.push(parts[0]?.subject.split(".").at(-2) ?? "");
			},
			find: () => Promise.resolve(undefined),
			drop: () => Promise.resolve(),
			onLost: () => () => undefined,
		},
	});
	/** Packing runs on other threads, so the real loop has to turn, too. */
	const pass = async (ms: number) => {
		for (let left = ms; left > 0; left -= 500) {
			await clock.advance(Math.min(500, left));
			do await wait(1);
			while (packing > 0);
		}
	};
	return { keeper, engine, kept, pass };
}

test("[FL160] a turn that ends is kept at once, one that goes on every ten seconds, and nothing is kept that did not change", async () => {
	const { keeper, kept, pass } = createBed();
	keeper.changed(conversationId("c0"), false);
	await pass(5_000);
	keeper.changed(conversationId("c0"), false);
	expect(kept).toEqual([]);
	await pass(6_000);
	expect(kept).toEqual(["c0"]);
	keeper.changed(conversationId("c1"), true);
	await pass(1_000);
	expect(kept).toEqual(["c0", "c1"]);
	await pass(60_000);
	expect(kept).toEqual(["c0", "c1"]);
});

test("[FL160] what could not be kept is tried again ever more rarely, at once when the engine is back, and once more at the end", async () => {
	const { keeper, engine, kept, pass } = createBed();
	engine.isAway = true;
	keeper.changed(conversationId("c0"), true);
	await pass(60_000);
	expect(engine.tries).toBeGreaterThan(3);
	expect(engine.tries).toBeLessThan(15);
	expect(keeper.problem()?.code).toBe("fleet-not-connected");
	engine.isAway = false;
	keeper.keepAll();
	await pass(2_000);
	expect([...kept].sort()).toEqual(["c0", "c1", "c2"]);
	expect(keeper.problem()).toBeUndefined();
	keeper.changed(conversationId("c1"), false);
	await keeper.close({ keepsRest: true });
	expect(kept.at(-1)).toBe("c1");
});

test("[FL160] at most as many wait to be kept as others see in a list", async () => {
	const { keeper, kept, pass } = createBed(150);
	for (let index = 0; index < 150; index++) keeper.changed(conversationId(`c${index}`), true);
	await pass(100_000);
	expect(kept).toHaveLength(100);
});
