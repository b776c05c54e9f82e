import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { AppError } from "../kernel/errors.ts";
import { messageId } from "../kernel/ids.ts";
import type { OutboxEntry, OutboxStore } from "../ports/fleet-store.ts";
import type { PromptReceipt } from "../turns/prompt-request.ts";
import { createOutbox } from "./outbox.ts";
import { createOutboxSender } from "./outbox-sender.ts";

const full = () => new AppError("storage-read-only", "The disk is full.");

/** An outbox on a disk that can be full, whose host does what the test says. */
function bed() {
	const rows = new Map<string, OutboxEntry>();
	const disk = { isFull: false, isOnline: false };
	const check = () => {
		if (disk.isFull) throw full();
	};
	const store: OutboxStore = {
		list: () => [...rows.values()],
		put(entry) {
			check();
			rows.set(entry.clientMessageId, entry);
		},
		delete(id) {
			check();
			rows.delete(id);
		},
	};
	const clock = createFakeClock();
	const went: string[] = [];
	const answers: (() => Promise<PromptReceipt>)[] = [];
	const receiptOf = (id: string): PromptReceipt => ({ messageId: messageId(`there ${id}`), duplicate: false, delivery: "started" });
	const start = () =>
		createOutboxSender({
			...{ outbox: createOutbox(store, clock), clock, isOnline: () => disk.isOnline },
			deliver({ clientMessageId }) {
				went.push(clientMessageId);
				return (answers.shift() ?? (() => Promise.resolve(receiptOf(clientMessageId))))();
			},
		});
	return { rows, disk, clock, went, answers, start, receiptOf, sender: start() };
}
const prompt = (id: string, conversationId = "c1") => ({
	...{ clientMessageId: id, host: "h1", conversationId, prompt: `text ${id}`, attachments: [], actor: { origin: "web" as const } },
});

test("[FL375] with a full disk nothing leaves the outbox and nothing is thrown; what waits goes out when the disk works again", async () => {
	const { disk, clock, went, sender, rows } = bed();
	await sender.send(prompt("1"));
	await sender.send(prompt("2", "c2"));
	Object.assign(disk, { isFull: true, isOnline: true });
	sender.pump();
	await clock.advance(20_000);
	expect([went, sender.list().map(({ state }) => state.kind)]).toEqual([[], ["waiting", "waiting"]]);
	disk.isFull = false;
	await clock.advance(5_001);
	expect([went, sender.list(), rows.size]).toEqual([["1", "2"], [], 0]);
});

test("[FL375] what arrived while the disk refuses is told to who waits, goes out once more under its id, and is forgotten then", async () => {
	const { disk, clock, went, answers, receiptOf, sender, start, rows } = bed();
	disk.isOnline = true;
	answers.push(async () => {
		disk.isFull = true;
		return receiptOf("1");
	});
	expect(await sender.send(prompt("1"))).toEqual(receiptOf("1"));
	expect(sender.list().map(({ state, wasSent }) => [state.kind, wasSent])).toEqual([["unconfirmed", true]]);
	// A server that starts now does not write either.
	expect(start().list()).toMatchObject([{ state: { kind: "unconfirmed" }, wasSent: true }]);
	disk.isFull = false;
	await clock.advance(5_001);
	expect([went, sender.list(), rows.size]).toEqual([["1", "1"], [], 0]);
});

test("[FL375] what its host refuses while the disk refuses is told to who waits, and stays as refused", async () => {
	const { disk, answers, sender } = bed();
	disk.isOnline = true;
	answers.push(async () => {
		disk.isFull = true;
		throw new AppError("conversation-not-found", "There is no such conversation.");
	});
	await expect(sender.send(prompt("1"))).rejects.toMatchObject({ code: "conversation-not-found" });
	expect(sender.list()).toMatchObject([{ state: { kind: "refused", code: "conversation-not-found" } }]);
	disk.isFull = false;
	expect([sender.drop("1"), sender.list()]).toEqual([true, []]);
});
