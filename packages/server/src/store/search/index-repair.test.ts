import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openChat, temporaryHome } from "../store-harness.ts";
import { createIndexRepair } from "./index-repair.ts";
import type { IndexBuilder } from "./rebuild-index.ts";

const DAMAGE = Object.assign(new Error("database disk image is malformed"), { errcode: 267 });
const damaged = () => {
	throw DAMAGE;
};

/** A builder whose steps end when the test says so. */
function manualBuilder() {
	const steps: { name: string; end(result?: number): void; fail(error: Error): void }[] = [];
	let unfinished = false;
	const step = (name: string) => new Promise<number | undefined>((resolve, reject) => steps.push({ name, end: resolve, fail: reject }));
	const builder: IndexBuilder = {
		isUnfinished: () => unfinished,
		async reset() {
			await step("reset");
			unfinished = true;
		},
		async fill(after) {
			const last = await step(`fill ${after}`);
			unfinished = last !== undefined;
			return last;
		},
	};
	const next = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		const found = steps.shift();
		if (found === undefined) throw new RangeError("No step is asked for.");
		return found;
	};
	return { builder, steps, next };
}

test("[ST177] a damaged index stops no message; until it is emptied nothing is written to it, then everything is, and searches wait until it is whole", async () => {
	const { builder, steps, next } = manualBuilder();
	const clock = createFakeClock();
	const repair = createIndexRepair({ builder, clock, logger: silentLogger });
	const written: string[] = [];
	repair.write(() => written.push("before"));
	repair.write(damaged);
	repair.write(() => written.push("lost in the damaged one"));
	(await next()).end();
	const fill = await next();
	expect(fill.name).toBe("fill 0");
	repair.write(() => written.push("while it is filled"));
	expect(written).toEqual(["before", "while it is filled"]);

	const order: string[] = [];
	const patient = repair.whole(60_000)?.then(() => order.push("patient"));
	const hasty = repair.whole(10)?.then(() => order.push("hasty"));
	await clock.advance(10);
	await hasty;
	fill.end(7);
	(await next()).end();
	await patient;
	expect(order).toEqual(["hasty", "patient"]);
	expect(steps).toEqual([]);
	expect(() => repair.repair(new RangeError("something else"))).toThrow("something else");
});

test("[ST223] a rebuild that fails half-way is made again by the next search", async () => {
	const { builder, next } = manualBuilder();
	const repair = createIndexRepair({ builder, clock: createFakeClock(), logger: silentLogger });
	repair.write(damaged);
	(await next()).end();
	(await next()).fail(new RangeError("The disk is full."));
	await new Promise((resolve) => setImmediate(resolve));
	const whole = repair.whole(60_000);
	expect((await next()).name).toBe("reset");
	void whole;
});

test("[ST223] a rebuild that a crash cut off goes on with the next start, on the second thread", async () => {
	const { path } = temporaryHome();
	const before = openChat({ path });
	before.store.transaction(() => {
		for (let n = 0; n < 300; n += 1) before.say(`message number${n} 關於火車`);
	});
	before.sql.exec(
		"INSERT INTO messages_text (messages_text) VALUES ('delete-all'); INSERT INTO meta VALUES ('search-index', 'unfinished')",
	);
	await before.close();

	const { store, sql, say } = openChat({ path });
	say("one more");
	expect(await store.messages.search("number299")).toHaveLength(1);
	expect(await store.messages.search("火車")).toHaveLength(50);
	expect(await store.messages.search("more")).toHaveLength(1);
	expect(sql.prepare("SELECT count(*) AS n FROM meta WHERE key = 'search-index'").get()).toEqual({ n: 0 });
});
