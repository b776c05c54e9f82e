import type { Position } from "@rightseat/protocol/fleet/position";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { conversationId } from "../kernel/ids.ts";
import { createMemoryLedger } from "../kernel/memory-ledger.ts";
import type { FleetReader } from "../ports/fleet.ts";
import { MAX_VIEW_CHARS, MAX_VIEW_EVENTS } from "./remote-view.ts";
import { createRemoteViews, MAX_LINGERING } from "./remote-views.ts";

const ID = conversationId("abcdefgh234567ab_c1");
const at = (seq: number): Position => ({ generation: 1, epoch: "e", seq, chain: "" });
const lists = { messages: [], queue: [], questions: [], permissions: [], commands: [], context: [] };
const snapshotAt = (seq: number) =>
	JSON.stringify({ type: "copilot:snapshot", data: { conversationId: ID, epoch: "e", seq, status: "idle", ...lists } });

function createBed() {
	const watches: { id: string; reader: FleetReader; isOver: boolean }[] = [];
	const memory = createMemoryLedger();
	const clock = createFakeClock();
	const views = createRemoteViews({
		...{ clock, memory },
		fleet: {
			watch(id, reader) {
				const watch = { id, reader, isOver: false };
				watches.push(watch);
				return () => {
					watch.isOver = true;
				};
			},
		},
	});
	const event = (seq: number, content = "x") =>
		watches
			.at(-1)
			?.reader.event(
				JSON.stringify({ type: "copilot:delta", data: { conversationId: ID, epoch: "e", seq, messageId: "m", content } }),
				at(seq),
			);
	const snapshot = (seq: number, copyOf?: number) =>
		watches.at(-1)?.reader.snapshot(snapshotAt(seq), at(seq), { isRewritten: false, copyOf });
	function look(id = ID) {
		const got: string[] = [];
		const subscription = views.subscribe(
			id,
			{},
			{
				event: (_, { seq }) => void got.push(String(seq)),
				reply: (frame) =>
					void got.push(frame.type === "copilot:snapshot" ? `snapshot ${frame.data.seq} ${frame.data.copyOf ?? ""}`.trim() : "status"),
			},
		);
		return { got, close: subscription.close };
	}
	const bytes = () => memory.usage().accounts["fleet views"] ?? 0;
	return { views, watches, clock, event, snapshot, look, bytes, memory };
}

test("[FL218] what is kept of a conversation of another host is bounded in events and characters; who comes after more gets a new snapshot", () => {
	const { watches, event, snapshot, look, bytes } = createBed();
	const first = look();
	snapshot(0);
	for (let seq = 1; seq <= MAX_VIEW_EVENTS + 1; seq++) event(seq);
	expect([bytes(), first.got.length]).toEqual([0, MAX_VIEW_EVENTS + 3]);
	const second = look();
	expect([second.got, watches.map(({ isOver }) => isOver)]).toEqual([[], [true, false]]);
	snapshot(MAX_VIEW_EVENTS + 1);
	expect([first.got.length, second.got]).toEqual([MAX_VIEW_EVENTS + 3, ["status", `snapshot ${MAX_VIEW_EVENTS + 1}`]]);
	event(MAX_VIEW_EVENTS + 2, "y".repeat(MAX_VIEW_CHARS));
	expect([bytes(), first.got.at(-1), second.got.at(-1)]).toEqual([0, String(MAX_VIEW_EVENTS + 2), String(MAX_VIEW_EVENTS + 2)]);
	event(MAX_VIEW_EVENTS + 9);
	expect(first.got.at(-1)).toBe(String(MAX_VIEW_EVENTS + 2));
});

test("[FL218] what nobody looks at ends after a while, and at most so many go on; memory that is needed elsewhere is let go", async () => {
	const { watches, clock, snapshot, look, bytes, views } = createBed();
	for (let index = 0; index <= MAX_LINGERING; index++) look(conversationId(`abcdefgh234567ab_c${index}`)).close();
	expect(watches.filter(({ isOver }) => !isOver).length).toBe(MAX_LINGERING);
	await clock.advance(31_000);
	expect(watches.every(({ isOver }) => isOver)).toBe(true);
	const page = look();
	snapshot(3, Date.UTC(2026, 0, 1));
	expect(page.got).toEqual(["status", "snapshot 3 2026-01-01T00:00:00.000Z"]);
	expect(bytes()).toBeGreaterThan(0);
	watches.at(-1)?.reader.gone();
	expect(bytes()).toBe(0);
	views.close();
});

test("[FL218] a ledger that is full takes the snapshots back", () => {
	const { memory, snapshot, look, bytes } = createBed();
	look();
	snapshot(1);
	memory.account("other").add(200 * 1_048_576);
	expect(bytes()).toBe(0);
});

test("[FL219] all that is shown of a conversation can be asked for at once, and is not there when nobody has told it in time", async () => {
	const { views, clock, snapshot, watches } = createBed();
	const waiting = views.state(ID);
	await clock.advance(4_000);
	expect(await waiting).toBeUndefined();
	const soon = views.state(ID);
	snapshot(1);
	const message = {
		conversationId: ID,
		epoch: "e",
		seq: 2,
		messageId: "u1",
		content: "hello",
		metadata: { origin: "web" },
		createdAt: "",
		origin: "web",
	};
	expect((await soon)?.messages).toEqual([]);
	watches.at(-1)?.reader.event(JSON.stringify({ type: "copilot:user_message", data: message }), at(2));
	watches.at(-1)?.reader.event(JSON.stringify({ type: "fleet:unreadable", data: { conversationId: ID, epoch: "e", seq: 3 } }), at(3));
	expect((await views.state(ID))?.messages).toMatchObject([{ id: "u1", content: "hello" }]);
});
