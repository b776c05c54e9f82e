import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const send = (prompt: string, mode: "enqueue" | "immediate") =>
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web", mode });
const queueOf = (of: Pick<CoreBed, "conversations">) => of.conversations.queue(id).map((item) => item.content);
const partsOfAnswer = () => {
	const answer = bed.conversations.messages(id, { limit: 10 }).messages.find((message) => message.role === "assistant");
	return answer?.role === "assistant" ? answer.metadata.parts.map((part) => part.kind) : [];
};

/** A turn runs, and a prompt that is to join it waits for a disk that hangs. */
async function steerIntoAHangingDisk() {
	send("One", "enqueue");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	turn.text("answer");
	await bed.clock.advance(10);
	let free: () => void = () => undefined;
	const { durable } = bed.store;
	bed.store.durable = () =>
		new Promise((resolve) => {
			free = resolve;
		});
	expect(send("Late", "immediate").delivery).toBe("steered");
	bed.store.durable = durable;
	return { turn, free: () => free() };
}

test("[CV251] a prompt that was on its way into a turn when that ended is queued with the end, so that a crash does not lose it", async () => {
	const { turn } = await steerIntoAHangingDisk();
	turn.end("error", { code: "provider-error", message: "no" });
	await bed.clock.advance(100);
	expect(queueOf(bed)).toEqual(["Late"]);
	expect(partsOfAnswer()).toEqual(["text"]);
	expect(queueOf(bed.afterCrash())).toEqual(["Late"]);
});

test("[CV251] it runs once when the disk goes on, also after a turn that failed", async () => {
	const { turn, free } = await steerIntoAHangingDisk();
	turn.end("error", { code: "provider-error", message: "no" });
	await bed.clock.advance(100);
	free();
	const next = await bed.runtime.nextTurn();
	expect(next.input.displayPrompt).toBe("Late");
	next.end();
	await bed.clock.advance(2_000);
	expect(turn.steered).toEqual([]);
	expect(queueOf(bed)).toEqual([]);
	expect(bed.conversations.active()).toEqual([]);
});

test("[CV251] nor does it join the turn when that has ended before the disk went on", async () => {
	const { turn, free } = await steerIntoAHangingDisk();
	turn.end();
	await bed.clock.advance(100);
	const next = await bed.runtime.nextTurn();
	free();
	await bed.clock.advance(100);
	expect([turn.steered, next.steered, queueOf(bed)]).toEqual([[], [], []]);
	expect(next.input.displayPrompt).toBe("Late");
});

test("[CV251] several of them keep their order", async () => {
	const { turn } = await steerIntoAHangingDisk();
	const { durable } = bed.store;
	bed.store.durable = () => new Promise(() => undefined);
	send("Later", "immediate");
	bed.store.durable = durable;
	turn.end("error", { code: "provider-error", message: "no" });
	await bed.clock.advance(100);
	expect(queueOf(bed)).toEqual(["Late", "Later"]);
});
