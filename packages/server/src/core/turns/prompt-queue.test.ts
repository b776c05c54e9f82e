import { MAX_PROMPT_CHARS, MAX_QUEUE_CHARS, MAX_QUEUE_ITEMS } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, messageId } from "../kernel/ids.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const send = (prompt: string, mode?: "enqueue" | "immediate") =>
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web", ...(mode === undefined ? {} : { mode }) });
const waiting = () => bed.conversations.queue(id).map((item) => item.content);
const contents = () => bed.conversations.messages(id, { limit: 50 }).messages.map((message) => message.content);

test("[CV30] prompts sent while a turn runs wait in order and are turns of their own", async () => {
	const watcher = bed.watch(id);
	send("One");
	expect(send("Two").delivery).toBe("queued");
	send("Three");
	expect(waiting()).toEqual(["Two", "Three"]);
	expect(
		watcher
			.of("copilot:queue")
			.at(-1)
			?.items.map((item) => item.content),
	).toEqual(["Two", "Three"]);
	for (const prompt of ["One", "Two", "Three"]) {
		const turn = await bed.runtime.nextTurn();
		expect(turn.input.prompt).toBe(prompt);
		turn.text(`answer to ${prompt}`);
		turn.end();
		await bed.clock.advance(100);
	}
	expect(watcher.of("copilot:idle")).toHaveLength(3);
	expect(contents()).toEqual(["One", "answer to One", "Two", "answer to Two", "Three", "answer to Three"]);
	expect(watcher.of("copilot:user_message").map((data) => data.content)).toEqual(["One", "Two", "Three"]);
});

test("[CV31] queued prompts can be edited, moved and dropped, and everyone sees it", async () => {
	const watcher = bed.watch(id);
	send("One");
	const [two, three, four] = ["Two", "Three", "Four"].map((prompt) => send(prompt).messageId);
	if (two === undefined || three === undefined || four === undefined) throw new Error("not queued");
	bed.conversations.editQueued(id, two, "Two, better");
	bed.conversations.moveQueued(id, four, 0);
	bed.conversations.dropQueued(id, three);
	expect(waiting()).toEqual(["Four", "Two, better"]);
	expect(
		watcher
			.of("copilot:queue")
			.at(-1)
			?.items.map((item) => item.content),
	).toEqual(["Four", "Two, better"]);
	expect(watcher.of("copilot:message_removed")).toMatchObject([{ messageId: three }]);
	expect(() => bed.conversations.dropQueued(id, three)).toThrow(expect.objectContaining({ code: "message-not-found" }));
	expect(() => bed.conversations.editQueued(id, two, "  ")).toThrow(expect.objectContaining({ code: "empty-prompt" }));
});

test("[CV41] a queued prompt is found among the messages, last, from the moment it was acknowledged", async () => {
	send("One");
	send("Two");
	expect(contents()).toEqual(["One", "Two"]);
	(await bed.runtime.nextTurn()).text("first");
	await bed.clock.advance(100);
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	expect(contents()).toEqual(["One", "first", "Two"]);
	expect(
		bed
			.afterCrash()
			.conversations.messages(id, { limit: 10 })
			.messages.filter((message) => message.content === "Two"),
	).toHaveLength(1);
});

test("[CV32] the queue is bounded; what does not fit is refused and says so", () => {
	send("One");
	for (let count = 0; count < MAX_QUEUE_ITEMS; count += 1) send(`more ${count}`);
	expect(() => send("too many")).toThrow(expect.objectContaining({ code: "queue-full" }));
	expect(waiting()).toHaveLength(MAX_QUEUE_ITEMS);
});

test("[CV32] long prompts fill the queue too, also by editing", () => {
	send("One");
	for (let chars = 0; chars + MAX_PROMPT_CHARS <= MAX_QUEUE_CHARS; chars += MAX_PROMPT_CHARS) send("x".repeat(MAX_PROMPT_CHARS));
	expect(() => send("x".repeat(MAX_PROMPT_CHARS))).toThrow(
		expect.objectContaining({ code: "queue-full", message: expect.stringContaining("too long together") }),
	);
	const { messageId } = send("short");
	const edit = () => bed.conversations.editQueued(id, messageId, "x".repeat(MAX_PROMPT_CHARS));
	expect(edit).toThrow(expect.objectContaining({ code: "queue-full" }));
});

test("[CV33] an immediate prompt is steered into the running turn and belongs to it", async () => {
	const watcher = bed.watch(id);
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	expect(send("And also this", "immediate").delivery).toBe("steered");
	await bed.clock.settle();
	expect(turn.steered.map((input) => input.prompt)).toEqual(["And also this"]);
	turn.text("Both done");
	turn.end();
	await bed.clock.advance(100);
	expect(watcher.of("copilot:idle")).toHaveLength(1);
	expect(contents()).toEqual(["One", "And also this", "Both done"]);
});

test("[CV34] a prompt that can no longer be steered in is queued instead of lost", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	turn.end();
	send("Late", "immediate");
	await bed.clock.advance(100);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Late");
});

test("[CV35] a queued prompt can be sent now: steered while a turn runs, started when none does", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	const { messageId: two } = send("Two");
	bed.conversations.sendQueuedNow(id, two);
	await bed.clock.settle();
	expect(turn.steered.map((input) => input.prompt)).toEqual(["Two"]);
	expect(waiting()).toEqual([]);
	const { messageId: three } = send("Three");
	turn.end("error", { code: "provider-error", message: "no" });
	await bed.clock.advance(100);
	expect(waiting()).toEqual(["Three"]);
	bed.conversations.sendQueuedNow(id, three);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Three");
});

test("[CV162] a queued prompt that is sent now while the turn is being stopped is the next one", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	send("Two");
	const { messageId: three } = send("Three");
	bed.conversations.abort(id);
	bed.conversations.sendQueuedNow(id, three);
	expect(waiting()).toEqual(["Three", "Two"]);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Three");
	await bed.clock.settle();
	expect(turn.steered).toEqual([]);
	expect(waiting()).toEqual(["Two"]);
});

test("[CV36] after a failed turn the queue rests until a person acts; then it goes on in order", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	send("Two");
	turn.end("error", { code: "provider-error", message: "no" });
	await bed.clock.advance(100);
	expect(bed.conversations.active()).toEqual([]);
	send("Three");
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
	expect(waiting()).toEqual(["Three"]);
});

test("[CV164] a queue that cannot be read when a turn ends is taken up when a person acts, and nothing else suffers", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	send("Two");
	const { queued } = bed.store.messages;
	bed.store.messages.queued = () => {
		throw new AppError("storage-busy", "The database is locked.");
	};
	turn.end();
	await bed.clock.advance(100);
	bed.store.messages.queued = queued;
	expect(bed.conversations.active()).toEqual([]);
	send("Three");
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
});

test("[CV37] stopping a turn leaves the queue: the next prompt is taken up", async () => {
	send("One");
	await bed.runtime.nextTurn();
	send("Two");
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
});

test("[CV38] the queue survives a crash and nothing in it runs by itself", async () => {
	send("One");
	await bed.runtime.nextTurn();
	send("Two");
	const next = bed.afterCrash();
	await next.clock.advance(1_000);
	expect(next.conversations.active()).toEqual([]);
	expect(next.conversations.queue(id).map((item) => item.content)).toEqual(["Two"]);
	next.conversations.sendQueuedNow(id, messageId(next.conversations.queue(id)[0]?.messageId ?? ""));
	expect((await next.runtime.nextTurn()).input.prompt).toContain("Two");
});

test("[CV39] at most so many turns run at once; the others wait and start when one ends", async () => {
	const small = await createCoreBed({ maxTurns: 1 });
	const [a, b] = [await small.begin(), await small.begin()];
	small.conversations.prompt({ conversationId: a, prompt: "A", origin: "web" });
	expect(small.conversations.prompt({ conversationId: b, prompt: "B", origin: "web" }).delivery).toBe("queued");
	const turn = await small.runtime.nextTurn();
	expect(small.conversations.active()).toEqual([a]);
	turn.end();
	await small.clock.advance(100);
	expect((await small.runtime.nextTurn()).input.prompt).toBe("B");
	await small.close();
});

test("[CV40] an empty prompt is refused, and one that is too long", () => {
	expect(() => send("  \n")).toThrow(expect.objectContaining({ code: "empty-prompt" }));
	expect(() => send("x".repeat(MAX_PROMPT_CHARS + 1))).toThrow(expect.objectContaining({ code: "too-large" }));
});

test("[CV107] a prompt that was dropped stays dropped when its sender repeats it, also after a crash", async () => {
	send("One");
	const request = { conversationId: id, prompt: "Two", origin: "web" as const, clientMessageId: "c2" };
	const { messageId: two } = bed.conversations.prompt(request);
	bed.conversations.dropQueued(id, two);
	expect(bed.conversations.prompt(request)).toEqual({ messageId: two, duplicate: true, delivery: "dropped" });
	expect(() => bed.conversations.prompt({ ...request, prompt: "Other" })).toThrow(expect.objectContaining({ code: "id-reused" }));
	const next = bed.afterCrash();
	expect(next.conversations.prompt(request)).toEqual({ messageId: two, duplicate: true, delivery: "dropped" });
	expect(next.conversations.queue(id)).toEqual([]);
	expect(next.conversations.active()).toEqual([]);
});

test("[CV108] a prompt that could not be steered in is no part of the answer that it could not join, live or stored", async () => {
	const watcher = bed.watch(id);
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	turn.text("answer");
	turn.end();
	send("Late", "immediate");
	await bed.clock.advance(100);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Late");
	expect(watcher.of("copilot:message_updated").map((data) => data.metadata.delivery)).toContain("queued");
	const answer = bed.conversations.messages(id, { limit: 10 }).messages.find((message) => message.role === "assistant");
	expect(answer?.metadata).toMatchObject({ parts: [{ kind: "text", content: "answer" }] });
});

test("[CV108] nor when the turn was stored before its session refused the prompt", async () => {
	const { openSession } = bed.runtime;
	let refuse: (error: Error) => void = () => undefined;
	bed.runtime.openSession = async (options) => ({
		...(await openSession(options)),
		steer: () =>
			new Promise((_, reject) => {
				refuse = reject;
			}),
	});
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	turn.text("answer");
	await bed.clock.advance(10);
	const { messageId: late } = send("Late", "immediate");
	turn.end();
	await bed.clock.advance(100);
	const parts = () => {
		const answer = bed.conversations.messages(id, { limit: 10 }).messages.find((message) => message.role === "assistant");
		return answer?.role === "assistant" ? answer.metadata.parts.map((part) => part.kind) : [];
	};
	expect(parts()).toEqual(["text", "steer"]);
	refuse(new Error("no turn runs"));
	await bed.clock.advance(100);
	expect(parts()).toEqual(["text"]);
	expect((await bed.runtime.nextTurn()).input.displayPrompt).toBe("Late");
	expect(bed.store.messages.find(id, late)?.metadata).toMatchObject({ delivery: "taken" });
});

test("[CV109] a steer that fails while the disk refuses is queued as soon as it can be stored, and runs", async () => {
	send("One");
	const turn = await bed.runtime.nextTurn();
	await bed.clock.settle();
	turn.end();
	send("Late", "immediate");
	const { orderQueue } = bed.store.messages;
	bed.store.messages.orderQueue = () => {
		throw new AppError("storage-read-only", "full");
	};
	await bed.clock.advance(3_000);
	expect(waiting()).toEqual([]);
	bed.store.messages.orderQueue = orderQueue;
	await bed.clock.advance(2_000);
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Late");
});
