import type { ServerFrame } from "@rightseat/protocol/frames/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import { KEPT_EVENTS } from "../active/log-trim.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { MAX_BUFFERED_CHARS } from "./event-buffer.ts";
import { MAX_REPLAY_CHARS, MAX_REPLAY_EVENTS } from "./stream-hub.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

async function startTurn(prompt = "Go"): Promise<ScriptedTurn> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	return bed.runtime.nextTurn();
}
const epoch = () => bed.store.conversations.find(id)?.epoch;
const seqs = (frames: ServerFrame[]) =>
	frames.flatMap((frame) => ("data" in frame && "seq" in frame.data && !("messages" in frame.data) ? [frame.data.seq] : []));

test("[EV1] events of a conversation are numbered from 1 without gaps", async () => {
	const watcher = bed.watch(id);
	const turn = await startTurn();
	for (let count = 0; count < 20; count += 1) {
		turn.text(`${count} `);
		await bed.clock.advance(5);
	}
	turn.end();
	await bed.clock.advance(100);
	const numbers = seqs(watcher.frames);
	expect(numbers).toEqual(numbers.map((_, index) => index + 1));
	expect(numbers.length).toBeGreaterThan(10);
});

test("[EV2] an event is on disk before any reader gets it", async () => {
	const found: boolean[] = [];
	bed.conversations.follow(id, {
		event: (frame, { seq }) =>
			void found.push(
				bed.store.events.after(id, seq, 0).length === 0 &&
					bed.store.conversations.find(id)?.headSeq !== undefined &&
					frame.includes(`"seq":${seq}`) &&
					(bed.store.conversations.find(id)?.headSeq ?? 0) >= seq,
			),
		reply: () => undefined,
	});
	const turn = await startTurn();
	turn.text("shown");
	turn.end();
	await bed.clock.advance(100);
	expect(found.length).toBeGreaterThan(3);
	expect(found.every(Boolean)).toBe(true);
});

test("[EV3] deltas that arrive together become one event", async () => {
	const watcher = bed.watch(id);
	const turn = await startTurn();
	for (const word of ["a", "b", "c", "d"]) turn.text(word);
	await bed.clock.advance(100);
	expect(watcher.of("copilot:delta").map((data) => data.content)).toEqual(["abcd"]);
});

test("[EV4] every reader gets the same text, byte for byte", async () => {
	const texts: string[][] = [[], []];
	for (const list of texts) bed.conversations.follow(id, { event: (frame) => void list.push(frame), reply: () => undefined });
	const turn = await startTurn();
	turn.text("hello");
	turn.end();
	await bed.clock.advance(100);
	expect(texts[0]).toEqual(texts[1]);
	expect(texts[0]?.every((frame, index) => Object.is(frame, texts[1]?.[index]))).toBe(true);
});

test("[EV5] a reader that comes back gets every missed event once and in order, then what follows", async () => {
	const first = bed.watch(id);
	const turn = await startTurn();
	turn.text("one ");
	await bed.clock.advance(100);
	first.close();
	turn.text("two ");
	await bed.clock.advance(100);
	const lastSeq = Number(seqs(first.frames).at(-1));
	const second = bed.watch(id, { epoch: epoch(), lastSeq });
	turn.text("three");
	turn.end();
	await bed.clock.advance(100);
	expect(second.frames[0]).toMatchObject({ type: "copilot:stream-status", data: { status: "streaming", mode: "delta" } });
	expect(second.types()).not.toContain("copilot:snapshot");
	expect([...first.of("copilot:delta"), ...second.of("copilot:delta")].map((data) => data.content).join("")).toBe("one two three");
	expect(Number(seqs(second.frames)[0])).toBe(lastSeq + 1);
});

test("[EV6] without a position, with another epoch or from too far behind a reader gets a snapshot", async () => {
	const turn = await startTurn();
	turn.text("text");
	turn.end();
	await bed.clock.advance(100);
	for (const position of [{}, { epoch: "other", lastSeq: 1 }, { epoch: epoch(), lastSeq: 10_000 }]) {
		const watcher = bed.watch(id, position);
		expect(watcher.types()).toEqual(["copilot:stream-status", "copilot:snapshot"]);
		expect(watcher.of("copilot:stream-status")[0]).toMatchObject({ mode: "snapshot", status: "completed" });
		expect(watcher.of("copilot:snapshot")[0]).toMatchObject({ messages: [{ content: "Go" }, { content: "text" }] });
	}
});

test("[EV7] a snapshot in mid-turn and the events after it give the whole text once", async () => {
	const turn = await startTurn();
	turn.text("before ");
	const watcher = bed.watch(id);
	turn.text("after");
	await bed.clock.advance(100);
	const [snapshot] = watcher.of("copilot:snapshot");
	const shown = snapshot?.turn?.parts.flatMap((part) => (part.kind === "text" ? [part.content] : [])).join("") ?? "";
	expect(
		shown +
			watcher
				.of("copilot:delta")
				.map((data) => data.content)
				.join(""),
	).toBe("before after");
});

test("[EV8] a server killed in mid-turn comes back with the shown text, marked interrupted, and runs nothing", async () => {
	const before = bed.watch(id);
	const turn = await startTurn();
	turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: {} });
	turn.text("shown before the kill");
	await bed.clock.advance(100);
	const lastSeq = Number(seqs(before.frames).at(-1));
	const next = bed.afterCrash();
	const after = next.watch(id, { epoch: epoch(), lastSeq });
	expect(after.types().slice(1)).toEqual(["copilot:tool_end", "copilot:error", "copilot:stream-status", "copilot:idle"]);
	expect(after.of("copilot:idle")).toMatchObject([{ outcome: "interrupted" }]);
	expect(next.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
		content: "shown before the kill",
		metadata: { outcome: "interrupted", tools: [{ toolCallId: "t1", success: false }] },
	});
	await next.clock.advance(1_000);
	expect(next.runtime.opened).toEqual([]);
	expect(next.conversations.get(id).status).toBe("error");
	expect(bed.afterCrash().conversations.messages(id, { limit: 10 }).messages).toHaveLength(2);
});

test("[EV9] a reader that throws costs the others nothing", async () => {
	bed.conversations.follow(id, {
		event() {
			throw new Error("broken");
		},
		reply: () => undefined,
	});
	const watcher = bed.watch(id);
	(await startTurn()).end();
	await bed.clock.advance(100);
	expect(watcher.of("copilot:idle")).toHaveLength(1);
});

test("[EV10] while the store refuses to write nothing is shown; when it writes again nothing is missing", async () => {
	const watcher = bed.watch(id);
	const turn = await startTurn();
	const append = bed.store.events.append;
	bed.store.events.append = () => {
		throw new AppError("storage-read-only", "disk full");
	};
	turn.text("kept back");
	turn.end();
	await bed.clock.advance(3_000);
	expect(watcher.of("copilot:delta")).toEqual([]);
	expect(() => bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" })).toThrow(
		expect.objectContaining({ code: "storage-read-only" }),
	);
	bed.store.events.append = append;
	await bed.clock.advance(3_000);
	expect(watcher.of("copilot:delta").map((data) => data.content)).toEqual(["kept back"]);
	expect(watcher.of("copilot:idle")).toHaveLength(1);
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toBe("kept back");
});

test("[EV176] an agent that goes on while the disk refuses is stopped at the high-water mark, and the turn says why", async () => {
	const turn = await startTurn();
	const append = bed.store.events.append;
	bed.store.events.append = () => {
		throw new AppError("storage-read-only", "disk full");
	};
	turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: {} });
	const piece = "x".repeat(MAX_BUFFERED_CHARS / 16);
	for (let count = 0; count < 17 && !turn.signal.aborted; count += 1) {
		turn.emit({ kind: "tool-output", toolCallId: "t1", content: piece });
		await bed.clock.settle();
	}
	expect(turn.signal.aborted).toBe(true);
	bed.store.events.append = append;
	await bed.clock.advance(3_000);
	expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.metadata).toMatchObject({
		outcome: "error",
		error: { code: "storage-read-only" },
	});
});

test("[EV11] old events are removed after a turn; who is behind them gets a snapshot", async () => {
	const turn = await startTurn();
	for (let count = 0; count < KEPT_EVENTS + 50; count += 1) turn.emit({ kind: "notice", code: "retrying", message: `${count}` });
	turn.end();
	await bed.clock.advance(500);
	const head = bed.store.conversations.find(id)?.headSeq ?? 0;
	expect(bed.store.events.firstSeq(id)).toBe(head - KEPT_EVENTS + 1);
	expect(bed.watch(id, { epoch: epoch(), lastSeq: 1 }).types()).toContain("copilot:snapshot");
	expect(bed.watch(id, { epoch: epoch(), lastSeq: head - 5 }).types()).not.toContain("copilot:snapshot");
	expect(MAX_REPLAY_EVENTS).toBeLessThanOrEqual(KEPT_EVENTS);
});

test("[EV12] what memory has let go is replayed from disk", async () => {
	(await startTurn()).end();
	await bed.clock.advance(100);
	const watcher = bed.afterCrash().watch(id, { epoch: epoch(), lastSeq: 1 });
	expect(watcher.types().slice(1)).toEqual(["copilot:stream-status", "copilot:stream-status", "copilot:idle"]);
});

test("[EV6] what would be replayed with a gap, or is too much text, comes as a snapshot", async () => {
	const turn = await startTurn();
	for (let count = 0; count < 12; count += 1) {
		turn.text("x".repeat(MAX_REPLAY_CHARS / 10));
		await bed.clock.advance(60);
	}
	turn.end();
	await bed.clock.advance(500);
	const head = bed.store.conversations.find(id)?.headSeq ?? 0;
	const again = bed.afterCrash();
	expect(again.watch(id, { epoch: epoch(), lastSeq: 1 }).types()).toContain("copilot:snapshot");
	expect(again.watch(id, { epoch: epoch(), lastSeq: head - 3 }).types()).not.toContain("copilot:snapshot");
	const after = bed.store.events.after;
	bed.store.events.after = (...asked) => after(...asked).filter(({ seq }) => seq !== head - 1);
	expect(
		bed
			.afterCrash()
			.watch(id, { epoch: epoch(), lastSeq: head - 3 })
			.types(),
	).toContain("copilot:snapshot");
	bed.store.events.after = after;
});

test("[EV13] readers are told how a conversation stands: idle before any turn, streaming during one, completed or error after", async () => {
	const status = () => bed.watch(id).of("copilot:stream-status")[0]?.status;
	expect(status()).toBe("idle");
	const turn = await startTurn();
	expect(status()).toBe("streaming");
	turn.end();
	await bed.clock.advance(100);
	expect(status()).toBe("completed");
});

test("[EV157] a live reader gets each event as a value beside its text, and its first status as a value", async () => {
	const seen: { type: string | undefined; same: boolean }[] = [];
	const replies: string[] = [];
	bed.conversations.subscribe(
		id,
		{},
		{
			event: (frame, { event }) => void seen.push({ type: event?.type, same: JSON.parse(frame).type === event?.type }),
			reply: (frame) => void replies.push(frame.type),
		},
	);
	const turn = await startTurn();
	turn.text("shown");
	turn.end();
	await bed.clock.advance(100);
	expect(replies).toEqual(["copilot:stream-status", "copilot:snapshot"]);
	expect(seen.every(({ same }) => same)).toBe(true);
	expect(seen.map(({ type }) => type)).toContain("copilot:delta");
});
