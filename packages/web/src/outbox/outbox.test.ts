import { expect, test } from "vitest";
import { createMemoryStore, type DeviceStore } from "../storage/database.ts";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { createOutbox, HOLD_AFTER_MS, MAX_OUTBOX_ITEMS, type OutboxItem, RETRY_AFTER_MS, SENT_SHOWN_MS } from "./outbox.ts";

function setUp(store: DeviceStore = createMemoryStore(), clock: FakeClock = createFakeClock()) {
	const sent: OutboxItem[] = [];
	let online = true;
	const outbox = createOutbox({ clock, store, onChange: () => undefined, transmit: (item) => online && sent.push(item) > 0 });
	return {
		clock,
		store,
		sent,
		outbox,
		setOnline(now: boolean) {
			online = now;
		},
	};
}

const prompt = (id: string) => ({ clientMessageId: id, conversationId: "c1", kind: "prompt", text: `text ${id}` }) as const;

test("[PG14] a prompt sent offline is kept over a reload and goes out under the same id until it is confirmed", async () => {
	const first = setUp();
	first.setOnline(false);
	await first.outbox.add(prompt("p1"));
	const second = setUp(first.store, first.clock);
	await second.outbox.restore();
	second.outbox.flush();
	second.outbox.flush();
	expect(second.sent.map((item) => item.clientMessageId)).toEqual(["p1", "p1"]);
	second.outbox.acked("p1", "m1");
	expect(second.outbox.items()).toMatchObject([{ clientMessageId: "p1", state: "sent", messageId: "m1" }]);
	second.clock.advance(SENT_SHOWN_MS);
	expect(second.outbox.items()).toEqual([]);
	const third = setUp(first.store, first.clock);
	await third.outbox.restore();
	expect(third.outbox.items()).toEqual([]);
});

test("[PG123] a sent prompt whose message is on screen is let go; one that is not waits a little", async () => {
	const { outbox } = setUp();
	for (const id of ["p1", "p2", "p3"]) await outbox.add(prompt(id));
	outbox.acked("p1", "m1");
	outbox.acked("p2", "m2");
	outbox.shown(({ messageId }) => messageId !== "m2");
	expect(outbox.items().map(({ clientMessageId, state }) => [clientMessageId, state])).toEqual([
		["p2", "sent"],
		["p3", "sending"],
	]);
});

test("[PG342] a change that a full database refused does not show a prompt twice after a reload: the newer one counts", async () => {
	const { store, outbox } = setUp();
	await outbox.add(prompt("p1"));
	const noted = { ...outbox.items()[0], state: "failed", message: "Refused." };
	const next = setUp({ ...store, all: async (name) => [...(await store.all(name)), noted] });
	await next.outbox.restore();
	expect(next.outbox.items()).toEqual([noted]);
});

test("[PG14] it is on the device before it is sent", async () => {
	const order: string[] = [];
	const memory = createMemoryStore();
	const store: DeviceStore = { ...memory, put: (...input) => memory.put(...input).then(() => void order.push("kept")) };
	const outbox = createOutbox({ clock: createFakeClock(), store, onChange: () => undefined, transmit: () => order.push("sent") > 0 });
	await outbox.add(prompt("p1"));
	expect(order).toEqual(["kept", "sent"]);
});

test("[PG14] a device that cannot keep anything still sends", async () => {
	const store: DeviceStore = { ...createMemoryStore(), put: () => Promise.reject(new Error("quota")) };
	const { outbox, sent } = setUp(store);
	expect(await outbox.add(prompt("p1"))).toBe(true);
	expect(sent).toHaveLength(1);
});

test("[PG15] what waited too long is held until its writer says so", async () => {
	const { outbox, sent, clock, setOnline } = setUp();
	setOnline(false);
	await outbox.add(prompt("p1"));
	clock.advance(HOLD_AFTER_MS + 1);
	setOnline(true);
	outbox.flush();
	expect([sent.length, outbox.items()[0]?.state]).toEqual([0, "held"]);
	outbox.retry("p1");
	expect(sent.map((item) => item.clientMessageId)).toEqual(["p1"]);
});

test("[PG15] a refusal says why and waits for a person; one that may pass is tried again", async () => {
	const { outbox, sent, clock } = setUp();
	await outbox.add(prompt("p1"));
	await outbox.add(prompt("p2"));
	outbox.refused("p1", { message: "Too long.", retryable: false });
	outbox.refused("p2", { message: "Busy.", retryable: true });
	clock.advance(RETRY_AFTER_MS);
	expect(outbox.items()).toMatchObject([{ state: "failed", message: "Too long." }, { state: "sending" }]);
	expect(sent.map((item) => item.clientMessageId)).toEqual(["p1", "p2", "p2"]);
	outbox.discard("p1");
	expect(outbox.items()).toHaveLength(1);
});

test("[PG15] the outbox is bounded", async () => {
	const { outbox } = setUp();
	for (let index = 0; index < MAX_OUTBOX_ITEMS; index++) await outbox.add(prompt(`p${index}`));
	expect(await outbox.add(prompt("one more"))).toBe(false);
	expect(outbox.items()).toHaveLength(MAX_OUTBOX_ITEMS);
});
