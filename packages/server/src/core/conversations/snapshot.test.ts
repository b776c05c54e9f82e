import { finishTurn, foldTurn } from "@rightseat/protocol/fold/turn";
import { MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { MAX_QUEUE_BYTES } from "../commands/announcements.ts";
import { jsonBytes } from "../kernel/fit.ts";
import { messageId } from "../kernel/ids.ts";
import { MAX_SNAPSHOT_BYTES } from "./snapshot.ts";

let bed: CoreBed;
beforeEach(async () => {
	bed = await createCoreBed();
});
afterEach(() => bed.close());

function snapshotFor(id: Awaited<ReturnType<CoreBed["begin"]>>) {
	const watcher = bed.watch(id);
	watcher.close();
	const frame = watcher.frames.find((each) => each.type === "copilot:snapshot");
	if (frame?.type !== "copilot:snapshot") throw new RangeError("No snapshot came.");
	return frame;
}

/** 30 files of 120 KB, and a long answer in Chinese. */
async function writeMuch(id: Awaited<ReturnType<CoreBed["begin"]>>) {
	bed.conversations.prompt({ conversationId: id, prompt: "漢".repeat(MAX_PROMPT_CHARS), origin: "web" });
	const turn = await bed.runtime.nextTurn();
	for (let n = 0; n < 30; n += 1) {
		const toolCallId = `c${n}`;
		turn.emit({ kind: "tool-start", toolCallId, toolName: "Write", arguments: { path: `f${n}`, content: "字\n".repeat(30_000) } });
		turn.emit({ kind: "tool-end", toolCallId, success: true, result: "Written." });
	}
	turn.text("長".repeat(300_000));
	await bed.clock.advance(100);
	return turn;
}

test("[CV150] a snapshot has at most 1 MiB, whatever the running turn, the queue and the commands are, and after the turn as well", async () => {
	const id = await bed.begin();
	const turn = await writeMuch(id);
	for (let n = 0; n < 9; n += 1) {
		bed.conversations.prompt({ conversationId: id, prompt: `${n}${"\u0001".repeat(MAX_PROMPT_CHARS - 1)}`, origin: "web" });
	}
	for (let n = 0; n < 4; n += 1) bed.conversations.exec({ conversationId: id, command: `: ${"漢".repeat(100_000)}`, origin: "web" });
	await bed.clock.advance(100);
	const running = snapshotFor(id);
	expect(jsonBytes(running)).toBeLessThanOrEqual(MAX_SNAPSHOT_BYTES);
	expect(running.data).toMatchObject({ status: "streaming", queue: { length: 9 }, commands: { length: 4 }, messages: { length: 1 } });
	expect(running.data.queue[0]).toMatchObject({ truncated: MAX_PROMPT_CHARS });
	expect(running.data.turn?.parts.at(-1)).toMatchObject({ kind: "text", truncated: 300_000 });
	for (const item of bed.conversations.queue(id)) bed.conversations.dropQueued(id, messageId(item.messageId));
	turn.end();
	await bed.clock.advance(100);
	const ended = snapshotFor(id);
	expect(jsonBytes(ended)).toBeLessThanOrEqual(MAX_SNAPSHOT_BYTES);
	expect(ended.data.messages.some((message) => message.role === "assistant" && message.truncated?.content === 300_000)).toBe(true);
});

test("[CV151] who came in the middle of a long turn appends what follows, knows at its end that there is more, and can fetch it", async () => {
	const id = await bed.begin();
	const turn = await writeMuch(id);
	const { data } = snapshotFor(id);
	if (data.turn === undefined) throw new RangeError("No turn runs.");
	const more = foldTurn(data.turn, { type: "copilot:delta", data: { messageId: "m1", content: " the end" } });
	expect(more.parts.at(-1)).toMatchObject({ content: expect.stringMatching(/長 the end$/), truncated: 300_008 });
	const known = finishTurn(more, { outcome: "completed", createdAt: data.turn.startedAt });
	expect(known.truncated).toMatchObject({ content: 300_008 });
	turn.text(" the end");
	turn.end();
	await bed.clock.advance(100);
	const pieces = [...bed.conversations.message(id, messageId(known.id))];
	expect(JSON.parse(pieces.join("")).content).toBe(`${"長".repeat(300_000)} the end`);
	expect(bed.conversations.tool(id, messageId(known.id), "c0").arguments).toEqual({ path: "f0", content: "字\n".repeat(30_000) });
});

test("[CV152] a change of the queue is told in at most 128 KiB, and prompts of ordinary size whole", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "first", origin: "web" });
	await bed.runtime.nextTurn();
	const watcher = bed.watch(id);
	for (const prompt of ["short", "漢".repeat(MAX_PROMPT_CHARS), "漢".repeat(MAX_PROMPT_CHARS)]) {
		bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	}
	const told = watcher.of("copilot:queue");
	expect(told[0]?.items).toEqual([{ messageId: expect.any(String), content: "short" }]);
	expect(told.at(-1)?.items).toMatchObject([{ content: "short" }, { truncated: MAX_PROMPT_CHARS }, { truncated: MAX_PROMPT_CHARS }]);
	for (const { items } of told) expect(jsonBytes(items)).toBeLessThanOrEqual(MAX_QUEUE_BYTES);
	expect(bed.conversations.queue(id)[1]?.content).toHaveLength(MAX_PROMPT_CHARS);
});
