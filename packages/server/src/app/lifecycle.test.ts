import { expect, test } from "vitest";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { silentLogger } from "../core/kernel/logger.ts";
import type { Lifecycle } from "../core/ports/lifecycle.ts";
import { createParts } from "./lifecycle.ts";

function bed() {
	const seen: string[] = [];
	const logged: object[] = [];
	const clock = createFakeClock();
	const parts = createParts({ clock, logger: { ...silentLogger, error: (fields) => void logged.push(fields) }, limitMs: 1_000 });
	function part(name: string, changes: Partial<Lifecycle> = {}): void {
		parts.add(name, {
			start: async () => void seen.push(`start ${name}`),
			drain: () => void seen.push(`drain ${name}`),
			close: () => void seen.push(`close ${name}`),
			...changes,
		});
	}
	return { seen, logged, clock, parts, part };
}

test("[CF122] parts start in order; all are drained and then closed, last first", async () => {
	const { seen, parts, part } = bed();
	for (const name of ["store", "core", "web"]) part(name);
	await parts.start();
	await parts.close();
	await parts.close();
	expect(seen).toEqual([
		...["start store", "start core", "start web"],
		...["drain web", "drain core", "drain store"],
		...["close web", "close core", "close store"],
	]);
});

test("[CF240] the first part that cannot start ends the start; every part is closed", async () => {
	const { seen, parts, part } = bed();
	part("store");
	part("runtime", { start: () => Promise.reject(new RangeError("no token")) });
	part("web");
	await expect(parts.start()).rejects.toThrow("no token");
	await parts.close();
	expect(seen.filter((step) => !step.startsWith("drain"))).toEqual(["start store", "close web", "close runtime", "close store"]);
});

test("[CF123] a part that fails or hangs is logged with its name and keeps none of the others open", async () => {
	const { seen, logged, clock, parts, part } = bed();
	part("store");
	part("shell", { drain: undefined, close: () => new Promise(() => undefined) });
	part("web", {
		drain() {
			throw new RangeError("sockets");
		},
	});
	const closed = parts.close();
	await clock.advance(1_000);
	await closed;
	expect(seen).toEqual(["drain store", "close web", "close store"]);
	expect(logged).toMatchObject([
		{ part: "web", step: "drain" },
		{ part: "shell", step: "close", limitMs: 1_000 },
	]);
});
