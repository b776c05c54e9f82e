import { expect, onTestFinished, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { createManualDisk } from "../../../../../test/support/manual-disk.ts";
import { loadSqlite } from "../../store/sqlite/sqlite-loader.ts";
import { AppError } from "../kernel/errors.ts";

/** A core whose disk obeys the test; `settle` finishes every sync until none is asked for. */
async function onManualDisk() {
	const disk = createManualDisk();
	const bed = await createCoreBed({}, disk);
	const settle = async () => {
		do {
			if (disk.busy) disk.finish();
			await bed.clock.advance(60);
		} while (disk.busy);
	};
	await settle();
	const id = await bed.begin();
	await settle();
	onTestFinished(async () => {
		const closing = bed.close();
		for (let count = 0; count < 50; count += 1) {
			if (disk.busy) disk.finish();
			await bed.clock.advance(100);
		}
		await closing;
		disk.remove();
	});
	return { disk, settle, id, ...bed };
}

test("[EV110] nothing is shown, started or given to the agent before it is durable", async () => {
	const { settle, id, conversations, runtime, shell, clock, watch } = await onManualDisk();
	const reader = watch(id);
	const changes: string[] = [];
	conversations.onChange((change) => changes.push(change.kind));
	const before = reader.frames.length;
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	conversations.exec({ conversationId: id, command: "touch file", origin: "web" });
	await clock.advance(1_000);
	expect([reader.frames.length, changes, runtime.opened.length, shell.commands.length]).toEqual([before, [], 0, 0]);
	await settle();
	const turn = await runtime.nextTurn();
	expect([turn.input.prompt, shell.commands.length, changes.length > 0]).toEqual(["Go", 1, true]);
	expect(reader.types()).toEqual(expect.arrayContaining(["copilot:user_message", "bash:start"]));
});

test("[EV110] the agent acts on an answer when the answer is durable", async () => {
	const { settle, id, conversations, runtime, clock } = await onManualDisk();
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await settle();
	const turn = await runtime.nextTurn();
	const heard: string[] = [];
	void turn.options.ask({ question: "Which?", allowFreeform: true }, turn.signal).then(({ answer }) => heard.push(answer));
	await settle();
	const [question] = conversations.pending(id).questions;
	conversations.answer({ conversationId: id, requestId: question?.requestId ?? "", answer: "this one", by: "web" });
	await clock.advance(1_000);
	expect(heard).toEqual([]);
	await settle();
	expect(heard).toEqual(["this one"]);
	turn.end();
	await settle();
});

test("[EV110] an answer that the disk refuses is given to the agent when the disk has taken it", async () => {
	const { settle, id, conversations, runtime, store, clock } = await onManualDisk();
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await settle();
	const turn = await runtime.nextTurn();
	const heard: string[] = [];
	const ask = () =>
		void turn.options.ask({ question: "Which?", allowFreeform: true }, turn.signal).then(({ answer }) => heard.push(answer));
	const answer = (words: string) => {
		const [question] = conversations.pending(id).questions;
		conversations.answer({ conversationId: id, requestId: question?.requestId ?? "", answer: words, by: "web" });
	};
	ask();
	await settle();
	const { transaction } = store;
	store.transaction = () => {
		throw new AppError("storage-read-only", "The disk is full.");
	};
	answer("the first");
	await clock.advance(10_000);
	expect(heard).toEqual([]);
	store.transaction = transaction;
	await clock.advance(2_000);
	await settle();
	expect(heard).toEqual(["the first"]);
	turn.end();
	await settle();
});

test("[EV110] an answer that the disk refuses until its turn is stopped is not given to the agent", async () => {
	const { settle, id, conversations, runtime, store, clock } = await onManualDisk();
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await settle();
	const turn = await runtime.nextTurn();
	const heard: unknown[] = [];
	void turn.options.ask({ question: "Which?", allowFreeform: true }, turn.signal).then((answer) => heard.push(answer));
	await settle();
	const { transaction } = store;
	store.transaction = () => {
		throw new AppError("storage-read-only", "The disk is full.");
	};
	const [question] = conversations.pending(id).questions;
	conversations.answer({ conversationId: id, requestId: question?.requestId ?? "", answer: "this one", by: "web" });
	conversations.abort(id);
	await clock.advance(3_000);
	expect(heard).toMatchObject([{ isUnanswered: true }]);
	store.transaction = transaction;
	await clock.advance(3_000);
	await settle();
});

test("[EV221] a reader that comes while a sync runs gets every event once and in order", async () => {
	const { disk, settle, id, conversations, runtime, clock, watch } = await onManualDisk();
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await settle();
	const turn = await runtime.nextTurn();
	turn.text("one ");
	await clock.advance(60);
	const early = watch(id);
	turn.text("two ");
	await clock.advance(60);
	const late = watch(id);
	expect([disk.busy, early.frames, late.frames]).toEqual([true, [], []]);
	turn.text("three");
	turn.end();
	await settle();
	for (const reader of [early, late]) {
		const [snapshot] = reader.of("copilot:snapshot");
		const text = `${snapshot?.turn?.parts.map((part) => (part.kind === "text" ? part.content : "")).join("")}${reader
			.of("copilot:delta")
			.map((delta) => delta.content)
			.join("")}`;
		expect(text).toBe("one two three");
		const seqs = reader.frames.flatMap((frame) => ("data" in frame && "seq" in frame.data ? [frame.data.seq] : []));
		expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
	}
});

test("[EV111] after a disk failed nothing new is shown or run, and what is not in doubt can be read", async () => {
	const { disk, settle, id, begin, conversations, runtime, shell, clock, watch } = await onManualDisk();
	const other = await begin();
	await settle();
	const reader = watch(id);
	const before = reader.frames.length;
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	conversations.exec({ conversationId: id, command: "touch file", origin: "web" });
	disk.finish(new Error("EIO"));
	await clock.advance(5_000);
	expect([reader.frames.length, runtime.opened.length, shell.commands.length]).toEqual([before, 0, 0]);
	expect(() => conversations.prompt({ conversationId: other, prompt: "More", origin: "web" })).toThrow(AppError);
	expect(conversations.get(other).id).toBe(other);
	expect(watch(other).of("copilot:snapshot")).toHaveLength(1);
});

test("[EV112] after a power cut everything that was shown or acknowledged is there, whatever else reached the disk", async () => {
	const { disk, id, conversations, runtime, store, clock } = await onManualDisk();
	const engine = loadSqlite();
	const shown = new Map<number, string>();
	conversations.subscribe(id, {}, { event: (frame, { seq }) => void shown.set(seq, frame), reply: () => undefined });
	const acknowledged: string[] = [];
	let random = 7;
	const next = (below: number) => {
		random = (random * 48_271) % 2_147_483_647;
		return random % below;
	};
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	let turn: Awaited<ReturnType<typeof runtime.nextTurn>> | undefined;
	void runtime.nextTurn().then((begun) => {
		turn = begun;
	});
	for (let step = 0; step < 400; step += 1) {
		if (disk.busy && next(3) === 0) disk.finish();
		if (step % 25 === 0) {
			const { messageId } = conversations.prompt({ conversationId: id, prompt: `Queued ${step}`, origin: "web" });
			void store.durable().then(() => acknowledged.push(messageId));
		}
		turn?.text(`word ${step} `, `m${next(3)}`);
		await clock.advance(next(5));
		if (step % 100 === 99) foldWal();
		if (step % 8 === 0) check(disk.cutPower(next(4) / 3));
	}
	expect(shown.size).toBeGreaterThan(50);
	expect(acknowledged.length).toBeGreaterThan(5);

	/** A checkpoint, which syncs the -wal before and the database after; the next commit begins the -wal anew. */
	function foldWal(): void {
		disk.syncAll();
		const other = new engine.module.DatabaseSync(disk.path);
		other.prepare("PRAGMA wal_checkpoint(PASSIVE)").all();
		other.close();
		disk.syncAll();
	}
	function check(path: string): void {
		const database = new engine.module.DatabaseSync(path);
		const stored = new Map(
			database
				.prepare("SELECT seq, frame FROM events")
				.all()
				.map((row) => [row.seq, row.frame]),
		);
		for (const [seq, text] of shown) expect(stored.get(seq)).toBe(text);
		const messages = database.prepare("SELECT id FROM messages").all();
		expect(messages.map((row) => row.id)).toEqual(expect.arrayContaining(acknowledged));
		expect(database.prepare("PRAGMA quick_check").all()).toEqual([{ quick_check: "ok" }]);
		database.close();
	}
}, 120_000);

test("[US23] what a model used counts against a limit also while it waits for a disk that is busy", async () => {
	const { settle, id, conversations, runtime, clock, watch } = await onManualDisk();
	void conversations.update(id, { budget: { tokens: 100 } });
	conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await settle();
	const turn = await runtime.nextTurn();
	const reader = watch(id);
	turn.text("on its way");
	await clock.advance(10);
	turn.emit({ kind: "usage", inputTokens: 99, outputTokens: 1, model: "model-a" });
	const permit = { kind: "write", summary: "Write a", toolName: "edit" };
	let decided = 0;
	void turn.options.permit(permit, new AbortController().signal).then(() => (decided += 1));
	await clock.advance(10);
	await settle();
	expect([decided, reader.of("copilot:budget_request").length]).toEqual([0, 1]);
	turn.end();
	await settle();
});
