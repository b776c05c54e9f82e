import { afterEach, expect, test } from "vitest";
import { createFleetBed, type FleetBed } from "../../../../../test/support/fleet-bed.ts";

let bed: FleetBed;
afterEach(() => bed.close());

/** Lets promises of the other host run: what is asked over the bus takes a few ticks and no time. */
async function ask<T>(work: Promise<T> | T): Promise<T> {
	const done = Promise.resolve(work);
	let isOver = false;
	done.finally(() => (isOver = true)).catch(() => undefined);
	for (let tick = 0; tick < 2_000 && !isOver; tick++) await bed.clock.advance(20);
	return done;
}

test("[FL380] plans, forms and limits of another host are answered from here, also by whoever names only the request", async () => {
	bed = await createFleetBed(2);
	const [desk, laptop] = bed.hosts;
	if (desk === undefined || laptop === undefined) throw new Error("There are not two hosts.");
	const { clock } = bed;
	const { conversations } = desk.everywhere;
	const by = "web" as const;
	const plan = { summary: "Do it", plan: "# Plan", actions: ["interactive"] };
	const form = { message: "Who?", schema: { type: "object", properties: { name: { type: "string" } } }, source: "tiny" };
	for (const isShown of [true, false]) {
		const id = await laptop.core.begin();
		await clock.advance(6_000);
		const remote = laptop.remote(id);
		const page = isShown ? conversations.subscribe(remote, {}, { event: () => undefined, reply: () => undefined }) : undefined;
		laptop.core.conversations.prompt({ conversationId: id, prompt: "Go", origin: by });
		const turn = await laptop.core.runtime.nextTurn();
		const [planned, filled] = [turn.options.askPlan(plan, turn.signal), turn.options.form(form, turn.signal)];
		await clock.advance(6_000);
		const { plans, forms } = laptop.core.conversations.pending(id);
		const [asked, shown] = [plans[0]?.requestId ?? "", forms[0]?.requestId ?? ""];
		await ask(conversations.decidePlan({ requestId: asked, approved: true, plan: "# Better", by }));
		expect(await planned).toMatchObject({ approved: true, plan: "# Better" });
		await ask(conversations.fillIn({ conversationId: undefined, requestId: shown, action: "accept", content: { name: "Ada" }, by }));
		expect(await filled).toMatchObject({ action: "accept", content: { name: "Ada" } });
		turn.end("completed");
		page?.close();
	}
	const settle = async () => ask(conversations.decidePlan({ requestId: "none", approved: true, by }));
	await expect(settle()).rejects.toMatchObject({ code: "request-not-found" });
});
