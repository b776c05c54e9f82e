import { expect, test } from "vitest";
import { conversationId } from "../../core/kernel/ids.ts";
import type { OutboxEntry } from "../../core/ports/fleet-store.ts";
import { openTestStore, temporaryHome } from "../store-harness.ts";
import { CREATED_LIFE_MS, createFleetStore, MAX_CREATED } from "./fleet-store.ts";

const entry = (clientMessageId: string, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
	...{ clientMessageId, host: "h1", conversationId: "c1", prompt: "字\u0000", attachments: ["a1"], actor: { origin: "web", from: "::1" } },
	...{ at: 5, state: { kind: "waiting" }, wasSent: false },
	...more,
});
const C1 = conversationId("c1");

test("[FL190] what a host of a fleet keeps comes back after a restart as it was, in order", async () => {
	const { path } = temporaryHome();
	const before = openTestStore({ path });
	const kept = createFleetStore(before.sql);
	expect([kept.outbox.list(), kept.chains.find(C1)]).toEqual([[], undefined]);
	kept.outbox.put(entry("b"));
	kept.outbox.put(entry("a"));
	kept.outbox.put(entry("x"));
	kept.outbox.put(entry("b", { state: { kind: "sending", isFirst: true }, wasSent: true }));
	kept.outbox.delete("x");
	kept.fences.set("telegram", 4);
	kept.fences.set("telegram", 5);
	kept.chains.set(C1, { generation: 1, epoch: "e", seq: 2, chain: "0123456789abcdef" });
	kept.created.add("h1 k", C1, 5);
	await before.close();
	const back = createFleetStore(openTestStore({ path }).sql);
	expect(back.outbox.list()).toEqual([entry("b", { state: { kind: "sending", isFirst: true }, wasSent: true }), entry("a")]);
	expect(back.fences.list()).toEqual(new Map([["telegram", 5]]));
	expect([back.chains.find(C1), back.created.find("h1 k"), back.created.find("h2 k")]).toEqual([
		{ generation: 1, epoch: "e", seq: 2, chain: "0123456789abcdef" },
		C1,
		undefined,
	]);
	back.chains.delete(C1);
	expect(back.chains.find(C1)).toBeUndefined();
});

test("[FL190] what others had created is remembered for a week, and the newest ten thousand", () => {
	const { sql } = openTestStore();
	const { created } = createFleetStore(sql);
	created.add("old", C1, 0);
	created.add("young", C1, CREATED_LIFE_MS + 1);
	expect([created.find("old"), created.find("young")]).toEqual([undefined, C1]);
	sql.transaction(() => {
		for (let index = 0; index < MAX_CREATED; index++) created.add(`k${index}`, C1, CREATED_LIFE_MS + 1);
	});
	expect([created.find("young"), created.find("k0"), created.find(`k${MAX_CREATED - 1}`)]).toEqual([undefined, C1, C1]);
});
