import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { CallResult } from "../api/bot-client.ts";
import { createSendQueue, GIVEN_UP, MAX_SEND_JOBS, type SendJob } from "./send-queue.ts";

test("[TG73] while the disk refuses nothing is sent to a chat, and what was sent is noted when it takes it again", async () => {
	const clock = createFakeClock();
	let refuses = true;
	const done: string[] = [];
	const store = (what: string) => {
		if (refuses) throw new AppError("storage-read-only", "The disk is full.");
		done.push(what);
	};
	const queue = createSendQueue({ clock, isGroup: false, onIdle: () => undefined });
	queue.send("one", {
		async run() {
			store("begun");
			done.push("sent");
			refuses = true;
			return { kind: "ok", result: true };
		},
		settle: () => store("noted"),
	});
	await clock.advance(3_000);
	expect(done).toEqual([]);
	refuses = false;
	await clock.advance(1_000);
	expect(done).toEqual(["begun", "sent"]);
	refuses = false;
	await clock.advance(1_000);
	expect(done).toEqual(["begun", "sent", "noted"]);
	expect(queue.idle()).toBe(true);
	queue.close();
});

function openQueue(isGroup = false) {
	const clock = createFakeClock();
	const calls: { what: string; at: number }[] = [];
	const settled: string[] = [];
	const queue = createSendQueue({ clock, isGroup, onIdle: () => undefined });
	const job = (what: string, result: CallResult<unknown> = { kind: "ok", result: true }): SendJob => ({
		async run() {
			calls.push({ what, at: clock.elapsed() });
			return result;
		},
		settle: (outcome) => void settled.push(`${what} ${outcome === GIVEN_UP ? "given up" : outcome.kind}`),
	});
	return { clock, queue, calls, settled, job };
}

test("[TG31] a send whose response was lost is made once; an edit, which can be repeated, a few times more", async () => {
	const { clock, queue, calls, settled, job } = openQueue();
	queue.send("one", job("send", { kind: "unknown", message: "cut" }));
	await clock.advance(60_000);
	expect([calls.map(({ what }) => what), settled]).toEqual([["send"], ["send unknown"]]);
	queue.edit("two", job("edit", { kind: "unknown", message: "cut" }), false);
	await clock.advance(60_000);
	expect(calls.filter(({ what }) => what === "edit")).toHaveLength(6);
	expect(settled).toEqual(["send unknown"]);
	queue.close();
});

test.each([
	["a private chat", false, 1_000],
	["a group", true, 3_000],
])("[TG25] edits in %s are throttled, only the newest goes out, and an urgent one does not wait", async (_, isGroup, everyMs) => {
	const { clock, queue, calls, job } = openQueue(isGroup);
	queue.edit("live", job("first"), false);
	await clock.advance(10);
	queue.edit("live", job("second"), false);
	queue.edit("live", job("third"), false);
	await clock.advance(everyMs - 20);
	expect(calls.map(({ what }) => what)).toEqual(["first"]);
	await clock.advance(20);
	expect(calls.map(({ what }) => what)).toEqual(["first", "third"]);
	queue.edit("live", job("urgent"), true);
	await clock.advance(1);
	expect(calls.at(-1)?.what).toBe("urgent");
	queue.close();
});

test("[TG580] a delete that stays in doubt rests for a minute each time and holds up nothing, and is made again when the chat can be reached", async () => {
	const { clock, queue, calls, settled, job } = openQueue();
	let result: CallResult<unknown> = { kind: "unknown", message: "cut" };
	const deletes = () => calls.filter(({ what }) => what === "delete").length;
	queue.remove({ ...job("delete"), run: async () => (await job("delete").run()) && result });
	await clock.advance(59_000);
	expect([deletes(), settled, queue.idle(), queue.isEmpty()]).toEqual([6, [], true, false]);
	await clock.advance(120_000);
	expect(deletes()).toBe(8);
	queue.send("other", job("send", { kind: "unknown", message: "cut" }));
	await clock.advance(0);
	expect([settled, deletes()]).toEqual([["send unknown"], 8]);
	result = { kind: "ok", result: true };
	queue.send("another", job("answer"));
	await clock.advance(0);
	expect(settled).toEqual(["send unknown", "answer ok", "delete ok"]);
	expect([queue.idle(), queue.isEmpty()]).toEqual([true, true]);
});

test("[TG580] an edit in doubt that rests gives way to a newer one", async () => {
	const { clock, queue, calls, settled, job } = openQueue();
	queue.edit("one", job("old", { kind: "unknown", message: "cut" }), true);
	await clock.advance(30_000);
	queue.edit("one", job("new"), true);
	await clock.advance(600_000);
	expect(calls.filter(({ what }) => what === "old")).toHaveLength(6);
	expect(settled).toEqual(["new ok"]);
});

test("[TG580] a queue that is closed makes nothing again", async () => {
	const { clock, queue, calls, job } = openQueue();
	queue.remove(job("delete", { kind: "unknown", message: "cut" }));
	await clock.advance(30_000);
	queue.close();
	await clock.advance(600_000);
	expect(calls).toHaveLength(6);
});

test("[TG104] what waits for one chat is bounded: the oldest is given up and told so", async () => {
	const { clock, queue, settled, job } = openQueue();
	// The first is on its way and does not count.
	for (let i = 0; i <= MAX_SEND_JOBS + 2; i += 1) queue.send(`${i}`, job(`${i}`, { kind: "unreachable", message: "no network" }));
	await clock.advance(1);
	expect(settled).toEqual(["1 given up", "2 given up"]);
	queue.close();
});

/** Promises that were rejected and that nobody heard of, while this went on. */
async function unheardDuring(work: () => Promise<void>): Promise<unknown[]> {
	const unheard: unknown[] = [];
	const hear = (error: unknown) => unheard.push(error);
	process.on("unhandledRejection", hear);
	await work();
	await new Promise((resolve) => setImmediate(resolve));
	process.off("unhandledRejection", hear);
	return unheard;
}

test("[TG567] a result that the disk refuses to note when the queue is closed ends nothing but the queue, and is not tried for ever", async () => {
	const { clock, queue, job } = openQueue();
	let tries = 0;
	const refuses = () => {
		tries += 1;
		throw new AppError("storage-read-only", "The disk is full.");
	};
	const unheard = await unheardDuring(async () => {
		queue.send("a", { ...job("a"), settle: refuses });
		await clock.advance(1);
		expect(tries).toBe(1);
		queue.close();
		await clock.advance(60_000);
	});
	expect([unheard, tries]).toEqual([[], 2]);
});

test("[TG567] a message that is given up while the disk refuses, and not noted before the queue is closed, ends nothing else", async () => {
	const { clock, queue, job } = openQueue();
	const refuses = () => {
		throw new AppError("storage-read-only", "The disk is full.");
	};
	const unheard = await unheardDuring(async () => {
		queue.send("a", job("a", { kind: "unreachable", message: "no network" }));
		queue.send("b", { ...job("b"), settle: refuses });
		await clock.advance(1);
		queue.dropSend("b");
		await clock.advance(1);
		queue.close();
		await clock.advance(60_000);
	});
	expect(unheard).toEqual([]);
});
