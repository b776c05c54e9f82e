import { afterEach, expect, test } from "vitest";
import { createFleetBed, type FleetBed } from "../../../../../test/support/fleet-bed.ts";
import { MAX_SHARED_BYTES } from "../ports/fleet.ts";

let bed: FleetBed;
afterEach(() => bed.close());

async function two() {
	bed = await createFleetBed(2);
	const [desk, laptop] = bed.hosts;
	if (desk === undefined || laptop === undefined) throw new Error("There are not two hosts.");
	const id = await laptop.core.begin();
	await bed.clock.advance(6_000);
	return { desk, laptop, remote: laptop.remote(id) };
}
async function ask<T>(work: Promise<T> | T): Promise<T> {
	const done = Promise.resolve(work);
	let isOver = false;
	done.finally(() => (isOver = true)).catch(() => undefined);
	for (let tick = 0; tick < 2_000 && !isOver; tick++) await bed.clock.advance(20);
	return done;
}

test("[FL245] what the holder of a task asks of another host carries its number, and one that was overtaken is refused there", async () => {
	const { desk, laptop, remote } = await two();
	const under = (number: number) => desk.everywhere.under(() => ({ lease: "telegram.7", number })).conversations;
	const prompt = (text: string) => ({ conversationId: remote, prompt: text, clientMessageId: `tg:1:${text}`, origin: "telegram" as const });
	const turn = laptop.core.runtime.nextTurn();
	expect(await ask(under(3).prompt(prompt("one")))).toMatchObject({ duplicate: false, delivery: "started" });
	expect(laptop.ran.findLast(({ frame }) => frame.type === "copilot:send")?.fence).toEqual({ lease: "telegram.7", number: 3 });
	expect(await ask(under(3).prompt(prompt("one")))).toMatchObject({ duplicate: true });
	await expect(ask(under(2).prompt(prompt("late")))).rejects.toMatchObject({ code: "fleet-refused", params: { reason: "fence" } });
	await expect(ask(under(2).abort(remote))).rejects.toMatchObject({ code: "fleet-refused" });
	(await turn).end();
	await bed.clock.advance(100);
	// What is known of it is there at once.
	const reading = desk.everywhere.conversations.subscribe(remote, {}, { event: () => undefined, reply: () => undefined });
	await bed.clock.advance(1_000);
	expect(desk.everywhere.recent(remote, 5).map(({ role, content }) => [role, content])[0]).toEqual(["user", "one"]);
	reading.close();
	// A prompt for a host that is away waits without a number: whoever has the task then, it is wanted.
	laptop.setOffline(true);
	await bed.clock.advance(20_000);
	expect(await ask(under(3).prompt(prompt("two")))).toMatchObject({ delivery: "outbox" });
	laptop.setOffline(false);
	const next = laptop.core.runtime.nextTurn();
	await bed.clock.advance(20_000);
	expect((await next).input.prompt).toContain("two");
});

test("[FL246] an entry that hosts share can be read by members only, is at most so large, and is changed under its revision only", async () => {
	const { desk, laptop } = await two();
	const [here, there] = [desk.fleet.shared("telegram"), laptop.fleet.shared("telegram")];
	const revision = await here.put("k", { words: "secret pelican" }, undefined);
	expect(await there.get("k")).toEqual({ value: { words: "secret pelican" }, revision });
	expect((await bed.bus.bucket("telegram").get("k"))?.value).not.toMatch(/pelican|secret/);
	expect([await there.put("k", {}, undefined), await there.put("k", { words: "b" }, revision)]).toEqual([undefined, expect.any(Number)]);
	const raw = await bed.bus.bucket("telegram").get("k");
	await bed.bus.bucket("telegram").put("moved", raw?.value ?? "", undefined);
	expect(await here.get("moved")).toEqual({ value: undefined, revision: expect.any(Number) });
	await expect(here.put("large", "x".repeat(MAX_SHARED_BYTES), undefined)).rejects.toMatchObject({ code: "internal" });
});
