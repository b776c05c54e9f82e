import { PassThrough } from "node:stream";
import { type ConversationState, emptyState, foldConversation } from "@rightseat/protocol/fold/conversation";
import { beginTurn } from "@rightseat/protocol/fold/turn";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { LoggedFrame } from "@rightseat/protocol/frames/server";
import { expect, test } from "vitest";
import { createLineEditor } from "../terminal/line-editor.ts";
import { createStopping, SECOND_MS } from "./stopping.ts";

const at = { conversationId: "c", epoch: "e", seq: 1 };
const running = (name: string) =>
	beginTurn({ messageId: `turn-${name}`, userMessageId: `prompt-${name}`, startedAt: "2026-01-01T00:00:00Z" });

/** A terminal whose time and conversation move when told. */
function open() {
	let state: ConversationState = emptyState();
	let nowMs = 0;
	/** Frames that the line would still send again. */
	const kept = new Set<ClientFrame>();
	const delivered: string[] = [];
	const stopping = createStopping({
		conversationId: "c",
		state: () => state,
		deliver(frame) {
			delivered.push(frame.type);
			kept.add(frame);
			return () => void kept.delete(frame);
		},
		now: () => nowMs,
	});
	return {
		stopping,
		delivered,
		kept,
		pass(ms: number) {
			nowMs += ms;
		},
		/** As a snapshot, or after an event. */
		become(next: Partial<ConversationState>) {
			state = { ...state, ...next };
			stopping.look();
		},
		event(frame: LoggedFrame) {
			state = foldConversation(state, frame);
			stopping.look();
		},
		send: (clientMessageId: string) => stopping.sent({ type: "copilot:send", data: { conversationId: "c", prompt: "p", clientMessageId } }),
	};
}

test("[CL75] a second Ctrl-C leaves: before the stop is answered, however long that takes, and shortly after its end", () => {
	const it = open();
	it.become({ turn: running("a") });
	expect(it.stopping.press()).toBe(true);
	it.pass(60_000);
	expect(it.stopping.press()).toBe(false);
	it.become({ turn: running("b") });
	it.pass(SECOND_MS - 1);
	expect(it.stopping.press()).toBe(false);
	expect(it.delivered).toEqual(["copilot:abort"]);
});

test("[CL75] later a Ctrl-C stops what runs by then, and with nothing running it leaves", () => {
	const it = open();
	it.become({ turn: running("a") });
	it.stopping.press();
	it.become({ turn: running("b") });
	it.pass(SECOND_MS);
	expect(it.stopping.press()).toBe(true);
	it.become({ turn: undefined });
	it.pass(SECOND_MS);
	expect(it.stopping.press()).toBe(false);
	expect(it.delivered).toEqual(["copilot:abort", "copilot:abort"]);
});

test("[CL75] two in one piece are two", () => {
	const it = open();
	it.become({ turn: running("a") });
	const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin }) as unknown as NodeJS.ReadStream;
	const presses: boolean[] = [];
	const ignore = () => undefined;
	const editor = createLineEditor(stdin, {
		...{ onLine: ignore, onChange: ignore, onEnd: ignore },
		onInterrupt: () => void presses.push(it.stopping.press()),
	});
	stdin.emit("data", Buffer.from("\u0003\u0003"));
	editor.close();
	expect(presses).toEqual([true, false]);
});

test("[CL100] what was stopped has ended when it is gone, told by its own event or by a snapshot; the end of something else is not its end", () => {
	const it = open();
	it.become({
		turn: running("a"),
		commands: [{ execId: "x", command: "ls", cwd: "/", startedAt: "2026-01-01T00:00:00Z", output: "" }],
	});
	it.stopping.press();
	it.event({ type: "bash:done", data: { ...at, execId: "x", exitCode: 0, cwd: "/", truncated: false, durationMs: 1 } });
	it.pass(SECOND_MS);
	expect(it.stopping.press()).toBe(false);
	it.become({ turn: undefined });
	it.pass(SECOND_MS);
	it.become({ turn: running("b") });
	expect(it.stopping.press()).toBe(true);
});

test("[CL100] a stop that waits for a lost line is not sent once its turn has ended: it would stop the next one", () => {
	const it = open();
	it.become({ turn: running("a") });
	it.stopping.press();
	expect(it.kept.size).toBe(1);
	it.become({ turn: running("b") });
	expect(it.kept.size).toBe(0);
});

test("[CL101] Ctrl-C right after a prompt was typed stops it as soon as the server tells of it: its turn, its command, its place in the queue", () => {
	const message = { id: "prompt-a", role: "user", content: "p", createdAt: "", metadata: { origin: "web", clientMessageId: "m" } } as const;
	const command = { execId: "x", command: "ls", cwd: "/", startedAt: "", output: "", clientMessageId: "m" };
	for (const [next, frame] of [
		[{ messages: [message], turn: running("a") }, "copilot:abort"],
		[{ commands: [command] }, "bash:kill"],
		[{ queue: [{ messageId: "q", content: "p", clientMessageId: "m" }], turn: running("other") }, "copilot:queue_drop"],
	] as const) {
		const it = open();
		it.send("m");
		expect([it.stopping.press(), it.delivered]).toEqual([true, []]);
		it.become({ messages: [] });
		it.become(next);
		expect(it.delivered).toEqual([frame]);
		expect(it.stopping.press()).toBe(false);
	}
});

test("[CL101] a prompt that was refused, or has been answered, is not stopped", () => {
	const it = open();
	it.send("refused");
	it.stopping.refused("refused");
	it.send("answered");
	const metadata = { inReplyTo: "prompt-a", outcome: "completed", parts: [], tools: [] };
	it.become({
		messages: [
			{ id: "prompt-a", role: "user", content: "p", createdAt: "", metadata: { origin: "web", clientMessageId: "answered" } },
			{ id: "turn-a", role: "assistant", content: "a", createdAt: "", metadata },
		] as unknown as ConversationState["messages"],
	});
	expect(it.stopping.press()).toBe(false);
	for (let sent = 0; sent < 1_000; sent++) it.send(`${sent}`);
	for (let sent = 936; sent < 1_000; sent++) it.stopping.refused(`${sent}`);
	expect(it.stopping.press()).toBe(false);
});
