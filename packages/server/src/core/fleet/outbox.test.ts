import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { OutboxEntry, OutboxStore } from "../ports/fleet-store.ts";
import { ASK_AFTER_MS, createOutbox, MAX_OUTBOX_CHARS, MAX_OUTBOX_ENTRIES, MAX_OUTBOX_PER_CONVERSATION } from "./outbox.ts";

function createDisk(): OutboxStore {
	const rows = new Map<string, OutboxEntry>();
	return {
		list: () => [...rows.values()],
		put: (entry) => void rows.set(entry.clientMessageId, entry),
		delete: (id) => void rows.delete(id),
	};
}
const prompt = (id: string, more: Partial<OutboxEntry> = {}) => ({
	...{ clientMessageId: id, host: "h1", conversationId: "c1", prompt: `text ${id}`, attachments: [], actor: { origin: "web" as const } },
	...more,
});
function bed() {
	const [disk, clock] = [createDisk(), createFakeClock()];
	return { disk, clock, outbox: createOutbox(disk, clock), again: () => createOutbox(disk, clock) };
}
const ids = (entries: readonly OutboxEntry[]) => entries.map(({ clientMessageId }) => clientMessageId);
const codeOf = (work: () => unknown) => {
	try {
		work();
		return "fine";
	} catch (error) {
		return error instanceof AppError ? error.code : "other";
	}
};

test("[FL110] prompts of one conversation go out one after the other in their order, those of others beside them", () => {
	const { outbox } = bed();
	for (const each of [prompt("1"), prompt("2"), prompt("3", { conversationId: "c2" }), prompt("4", { host: "h2" })]) outbox.add(each);
	expect([ids(outbox.take("h1")), ids(outbox.take("h1")), ids(outbox.take("h2"))]).toEqual([["1", "3"], [], ["4"]]);
	outbox.arrived("1");
	expect([ids(outbox.take("h1")), ids(outbox.list())]).toEqual([["2"], ["2", "3", "4"]]);
});

test("[FL111] what was being sent when the server ended is sent again with the same id, and cannot be changed any more", () => {
	const { outbox, again } = bed();
	outbox.add(prompt("1"));
	outbox.edit("1", "better");
	outbox.take("h1");
	const next = again();
	expect(next.list()).toMatchObject([{ clientMessageId: "1", prompt: "better", state: { kind: "unconfirmed" }, wasSent: true }]);
	expect([codeOf(() => next.edit("1", "other")), codeOf(() => next.edit("2", "x"))]).toEqual(["fleet-refused", "message-not-found"]);
	expect(ids(next.take("h1"))).toEqual(["1"]);
	expect([next.drop("1"), next.list(), again().list()]).toEqual([false, [], []]);
});

test("[FL112] after a quarter of an hour a person is asked first, also when the clock was set back, and what follows waits", async () => {
	const { outbox, clock } = bed();
	outbox.add(prompt("1"));
	outbox.add(prompt("2"));
	await clock.advance(ASK_AFTER_MS + 1);
	expect([outbox.take("h1"), outbox.list()[0]?.state.kind]).toEqual([[], "asking"]);
	outbox.confirm("1");
	expect(ids(outbox.take("h1"))).toEqual(["1"]);
	outbox.failed("1", "command-expired");
	expect(outbox.list()[0]?.state).toEqual({ kind: "asking" });
	expect([outbox.drop("1"), outbox.drop("1")]).toEqual([false, false]);
	outbox.drop("2");
	outbox.add(prompt("3"));
	clock.jump(-2 * ASK_AFTER_MS);
	expect(outbox.take("h1")).toEqual([]);
});

test("[FL111] what certainly was not delivered can still be changed, unless it was under way before", () => {
	const { outbox } = bed();
	outbox.add(prompt("1"));
	outbox.take("h1");
	outbox.failed("1", "host-offline");
	expect([outbox.list()[0]?.state, codeOf(() => outbox.edit("1", "other"))]).toEqual([{ kind: "waiting" }, "fine"]);
	for (const code of ["host-unreachable", "host-offline"] as const) {
		outbox.take("h1");
		outbox.failed("1", code);
	}
	expect([outbox.list()[0]?.state, codeOf(() => outbox.edit("1", "third"))]).toEqual([{ kind: "unconfirmed" }, "fleet-refused"]);
});

test("[FL113] a refusal of the host stays visible until a person edits or drops it; a failure on the way is tried again", () => {
	const { outbox } = bed();
	outbox.add(prompt("1"));
	for (const code of ["host-offline", "host-unreachable", "fleet-not-connected"] as const) {
		expect(ids(outbox.take("h1"))).toEqual(["1"]);
		outbox.failed("1", code);
	}
	outbox.take("h1");
	outbox.failed("1", "conversation-not-found");
	expect([outbox.take("h1"), outbox.list()[0]?.state]).toEqual([[], { kind: "refused", code: "conversation-not-found" }]);
	outbox.edit("1", "again");
	expect(ids(outbox.take("h1"))).toEqual(["1"]);
	outbox.failed("1", "queue-full");
	expect(outbox.drop("1")).toBe(true);
});

test("[FL114] the same prompt twice is one, another under its id is refused, and the outbox is bounded in number and characters", () => {
	const { outbox } = bed();
	expect(outbox.add(prompt("1"))).toEqual(outbox.add(prompt("1")));
	expect(codeOf(() => outbox.add(prompt("1", { prompt: "other" })))).toBe("id-reused");
	for (let index = 2; index <= MAX_OUTBOX_PER_CONVERSATION; index++) outbox.add(prompt(`${index}`));
	expect(codeOf(() => outbox.add(prompt("more")))).toBe("queue-full");
	const many = bed().outbox;
	for (let index = 0; index < MAX_OUTBOX_ENTRIES; index++) many.add(prompt(`${index}`, { conversationId: `c${index}` }));
	expect(codeOf(() => many.add(prompt("more", { conversationId: "more" })))).toBe("queue-full");
	const large = bed().outbox;
	large.add(prompt("1", { prompt: "x".repeat(MAX_OUTBOX_CHARS) }));
	expect([codeOf(() => large.add(prompt("2", { prompt: "y" }))), codeOf(() => large.edit("1", "x".repeat(MAX_OUTBOX_CHARS + 1)))]).toEqual([
		...["queue-full", "queue-full"],
	]);
});

test("[FL115] however sending fails and the server is killed, each prompt that is not dropped arrives once, in order", () => {
	const step = fc.constantFrom("take", "take", "arrive", "lose", "lose-answer", "kill");
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { disk, clock } = bed();
			let outbox = createOutbox(disk, clock);
			for (const id of ["1", "2", "3", "4"]) outbox.add(prompt(id));
			const log: string[] = [];
			let onWay: OutboxEntry[] = [];
			const deliver = (isConfirmed: boolean) => {
				for (const { clientMessageId } of onWay) {
					// The owner keeps one message for each id.
					if (!log.includes(clientMessageId)) log.push(clientMessageId);
					if (isConfirmed) outbox.arrived(clientMessageId);
					else outbox.failed(clientMessageId, "host-unreachable");
				}
				onWay = [];
			};
			const act = (kind: string) => {
				if (kind === "take") onWay = [...onWay, ...outbox.take("h1")];
				if (kind === "arrive") deliver(true);
				if (kind === "lose-answer") deliver(false);
				if (kind === "lose") for (const { clientMessageId } of onWay.splice(0)) outbox.failed(clientMessageId, "host-unreachable");
				if (kind !== "kill") return;
				outbox = createOutbox(disk, clock);
				onWay = [];
			};
			for (const kind of [...steps, "kill"]) act(kind);
			for (let turn = 0; turn < 4; turn++) for (const kind of ["take", "arrive"]) act(kind);
			expect([log, outbox.list()]).toEqual([["1", "2", "3", "4"], []]);
		}),
	);
});

test("[FL371] what a device wrote that may not any more waits for somebody who may, and nothing else does", () => {
	const { outbox, again } = bed();
	const by = (from: string) => ({ actor: { origin: "web" as const, from } });
	outbox.add(prompt("1", by("::1 device a")));
	outbox.add(prompt("2", { ...by("::1 device a"), conversationId: "c2" }));
	outbox.add(prompt("3", { ...by("::1 device b"), conversationId: "c3" }));
	outbox.take("h1");
	outbox.failed("2", "host-unreachable");
	outbox.failed("3", "host-offline");
	expect([outbox.ask(({ from }) => from === "::1 device a"), outbox.ask(({ from }) => from === "::1 device a")]).toEqual([true, false]);
	// What is under way may have arrived.
	expect(outbox.list().map(({ state }) => state.kind)).toEqual(["sending", "asking", "waiting"]);
	expect(again().list()[1]?.state.kind).toBe("asking");
	outbox.confirm("2");
	expect(ids(outbox.take("h1"))).toEqual(["2", "3"]);
});
