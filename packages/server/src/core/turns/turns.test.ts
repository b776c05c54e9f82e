import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import { MAX_TURN_CHARS } from "./turn-size.ts";

let bed: CoreBed;
beforeEach(async () => {
	bed = await createCoreBed();
});
afterEach(() => bed.close());

const say = (prompt: string) => ({ prompt, origin: "web" as const });

describe("a turn", () => {
	test("[CV1] a prompt is stored and announced before its sender hears of it, and its turn starts", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		const receipt = bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		expect(receipt).toMatchObject({ duplicate: false, delivery: "started" });
		expect(bed.store.messages.find(id, receipt.messageId)).toMatchObject({ role: "user", content: "Hello" });
		expect(watcher.types()).toEqual(["copilot:stream-status", "copilot:snapshot", "copilot:user_message", "copilot:stream-status"]);
		expect((await bed.runtime.nextTurn()).input.prompt).toBe("Hello");
		expect(bed.conversations.active()).toEqual([id]);
	});

	test("[CV2] the same clientMessageId twice is one message and one run", async () => {
		const id = await bed.begin();
		const first = bed.conversations.prompt({ conversationId: id, ...say("Hello"), clientMessageId: "c1" });
		const second = bed.conversations.prompt({ conversationId: id, ...say("Hello"), clientMessageId: "c1" });
		expect(second).toEqual({ messageId: first.messageId, duplicate: true, delivery: "started" });
		(await bed.runtime.nextTurn()).end();
		await bed.clock.advance(100);
		expect(bed.conversations.messages(id, { limit: 10 }).messages).toHaveLength(2);
		expect(bed.conversations.active()).toEqual([]);
	});

	test("[CV3] a clientMessageId used again for other text is refused and nothing is stored", async () => {
		const id = await bed.begin();
		bed.conversations.prompt({ conversationId: id, ...say("Hello"), clientMessageId: "c1" });
		expect(() => bed.conversations.prompt({ conversationId: id, ...say("Other"), clientMessageId: "c1" })).toThrow(
			expect.objectContaining({ code: "id-reused" }),
		);
		expect(bed.conversations.queue(id)).toEqual([]);
	});

	test("[CV4] text is streamed as deltas and stored whole when the agent is idle", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.text("Good ");
		await bed.clock.advance(100);
		turn.text("morning");
		turn.emit({ kind: "message-end", messageId: "m1", content: "Good morning" });
		turn.end();
		await bed.clock.advance(100);
		expect(watcher.of("copilot:delta").map((data) => data.content)).toEqual(["Good ", "morning"]);
		const idle = watcher.of("copilot:idle");
		expect(idle).toHaveLength(1);
		expect(watcher.types().at(-1)).toBe("copilot:idle");
		const { messages } = bed.conversations.messages(id, { limit: 10 });
		expect(messages.at(-1)).toMatchObject({
			id: idle[0]?.messageId,
			role: "assistant",
			content: "Good morning",
			metadata: { outcome: "completed" },
		});
	});

	test("[CV5] reasoning is streamed apart from the text and stored with it", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.emit({ kind: "reasoning-delta", reasoningId: "r1", content: "Let me think" });
		turn.text("Done");
		turn.end();
		await bed.clock.advance(100);
		expect(watcher.of("copilot:reasoning_delta")).toMatchObject([{ reasoningId: "r1", content: "Let me think" }]);
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
			content: "Done",
			metadata: { reasoning: "Let me think" },
		});
	});

	test("[CV6] tool calls are told with id, name and arguments, and with success and result or error", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: { command: "ls" } });
		turn.emit({ kind: "tool-output", toolCallId: "t1", content: "a.txt\n" });
		turn.emit({ kind: "tool-end", toolCallId: "t1", success: true, result: "a.txt" });
		turn.emit({ kind: "tool-start", toolCallId: "t2", toolName: "Bash", arguments: { command: "no" } });
		turn.emit({ kind: "tool-end", toolCallId: "t2", success: false, error: "exit code 1" });
		turn.end();
		await bed.clock.advance(100);
		expect(watcher.of("copilot:tool_start")).toMatchObject([
			{ toolCallId: "t1", toolName: "Bash", arguments: { command: "ls" } },
			{ toolCallId: "t2" },
		]);
		expect(watcher.of("copilot:tool_end")).toMatchObject([
			{ toolCallId: "t1", success: true, result: "a.txt" },
			{ toolCallId: "t2", success: false, error: "exit code 1" },
		]);
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
			metadata: {
				tools: [
					{ toolCallId: "t1", success: true },
					{ toolCallId: "t2", success: false },
				],
				parts: [{ kind: "tool" }, { kind: "tool" }],
			},
		});
	});

	test("[CV7] a stopped turn keeps its text, settles its open tools and ends with one idle, outcome aborted", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.text("Half an ans");
		turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: {} });
		turn.emit({ kind: "tool-output", toolCallId: "t1", content: "so far" });
		await bed.clock.advance(100);
		expect(bed.conversations.abort(id)).toBe(true);
		await bed.clock.advance(100);
		expect(turn.signal.aborted).toBe(true);
		expect(watcher.of("copilot:tool_end")).toMatchObject([{ toolCallId: "t1", success: false, error: "Stopped." }]);
		expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "aborted" }]);
		expect(bed.conversations.get(id).status).toBe("completed");
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
			content: "Half an ans",
			metadata: { outcome: "aborted", tools: [{ toolCallId: "t1", success: false, error: "Stopped.", output: "so far" }] },
		});
		expect(bed.conversations.abort(id)).toBe(false);
	});

	test("[CV8] a failed turn tells a readable error, keeps its text and ends with status error", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.text("So far");
		turn.end("error", { code: "provider-error", message: "The model answered 500." });
		await bed.clock.advance(100);
		expect(watcher.of("copilot:error")).toMatchObject([{ code: "provider-error", message: "The model answered 500." }]);
		expect(watcher.types().slice(-3)).toEqual(["copilot:error", "copilot:stream-status", "copilot:idle"]);
		expect(bed.conversations.get(id).status).toBe("error");
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({ content: "So far", metadata: { outcome: "error" } });
	});

	test("[CV9] a session that cannot be opened ends the turn with its reason", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.runtime.failNextOpen(new AppError("runtime-start-failed", "The runtime did not start."));
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		await bed.clock.advance(100);
		expect(watcher.of("copilot:error")).toMatchObject([{ code: "runtime-start-failed" }]);
		expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "error" }]);
	});

	test("[CV10] a retry of the runtime withdraws the text that it repeats", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.text("Once", "m1");
		turn.emit({ kind: "message-reset", messageId: "m1" });
		turn.text("Once more", "m2");
		turn.end();
		await bed.clock.advance(100);
		expect(watcher.of("copilot:reset")).toMatchObject([{ messageId: "m1" }]);
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toBe("Once more");
	});

	test("[CV11] a runtime that ignores the stop is not waited for longer than five seconds", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.runtime.failNextOpen(new AppError("internal", "unused"));
		bed.conversations.prompt({ conversationId: id, ...say("warm up") });
		await bed.clock.advance(100);
		const original = bed.runtime.openSession;
		bed.runtime.openSession = async (options) => {
			const session = await original(options);
			return { ...session, run: () => neverEnding() };
		};
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		await bed.clock.advance(100);
		bed.conversations.abort(id);
		await bed.clock.advance(6_000);
		expect(watcher.of("copilot:idle").at(-1)).toMatchObject({ outcome: "aborted" });
		expect(bed.conversations.active()).toEqual([]);
	});

	test("[CV12] an answer without end is stopped at its bound and says so", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		for (let count = 0; count <= MAX_TURN_CHARS; count += 100_000) turn.text("x".repeat(100_000));
		await bed.clock.advance(200);
		expect(turn.signal.aborted).toBe(true);
		expect(watcher.of("copilot:error")).toMatchObject([{ code: "too-large" }]);
	});

	test("[CV169] of an answer without end nothing past its bound is said, however long a piece is and whatever the agent still says", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.text("x".repeat(3 * MAX_TURN_CHARS));
		await bed.clock.advance(200);
		turn.text("and more");
		await bed.clock.advance(6_000);
		const said = watcher.of("copilot:delta").map(({ content }) => content.length);
		expect(said).toEqual([MAX_TURN_CHARS + 1]);
		expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "error" }]);
	});

	test("[CV250] a piece that was cut at the bound ends the turn, also when the cut falls into a character", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		const turn = await bed.runtime.nextTurn();
		turn.text("x".repeat(MAX_TURN_CHARS));
		turn.text("🙂");
		await bed.clock.advance(6_000);
		expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "error" }]);
	});

	test("[CV105] a turn with noisy tools goes on: live output does not count, for it is not kept", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Build it") });
		const turn = await bed.runtime.nextTurn();
		for (let count = 0; count < 20; count += 1) {
			const toolCallId = `t${count}`;
			turn.emit({ kind: "tool-start", toolCallId, toolName: "Bash", arguments: { command: "make" } });
			turn.emit({ kind: "tool-output", toolCallId, content: "x".repeat(256_000) });
			turn.emit({ kind: "tool-end", toolCallId, success: true, result: "ok" });
			await bed.clock.advance(10);
		}
		expect(turn.signal.aborted).toBe(false);
		turn.end();
		await bed.clock.advance(100);
		expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "completed" }]);
	});

	test("[CV106] what tools are given counts as much as what they answer", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Write it") });
		const turn = await bed.runtime.nextTurn();
		for (let count = 0; count * 60_000 <= MAX_TURN_CHARS; count += 1) {
			turn.emit({ kind: "tool-start", toolCallId: `t${count}`, toolName: "write", arguments: { text: "x".repeat(60_000) } });
			turn.emit({ kind: "tool-end", toolCallId: `t${count}`, success: true, result: "ok" });
		}
		await bed.clock.advance(200);
		expect(turn.signal.aborted).toBe(true);
		expect(watcher.of("copilot:error")).toMatchObject([
			{ code: "too-large", message: expect.stringContaining("what its tools were given") },
		]);
	});

	test("[CV13] a turn goes on when every reader has gone", async () => {
		const id = await bed.begin();
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		watcher.close();
		const turn = await bed.runtime.nextTurn();
		turn.text("Nobody looks");
		turn.end();
		await bed.clock.advance(100);
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toBe("Nobody looks");
	});

	test("[CV14] a shutdown ends running turns as interrupted, with their text stored", async () => {
		const id = await bed.begin();
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		(await bed.runtime.nextTurn()).text("Half");
		await bed.clock.advance(100);
		const closing = bed.conversations.close(1_000);
		await bed.clock.advance(2_000);
		await closing;
		expect(bed.conversations.messages(id, { limit: 1 }).messages[0]).toMatchObject({
			content: "Half",
			metadata: { outcome: "interrupted" },
		});
		expect(() => bed.conversations.prompt({ conversationId: id, ...say("More") })).toThrow(
			expect.objectContaining({ code: "shutting-down" }),
		);
	});
});

async function* neverEnding() {
	await new Promise(() => undefined);
	yield { kind: "turn-end" as const, outcome: "completed" as const };
}
