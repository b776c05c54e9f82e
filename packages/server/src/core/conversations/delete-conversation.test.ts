import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { KILL_WAIT_MS } from "../commands/run-command.ts";
import { type ConversationId, execId as toExecId } from "../kernel/ids.ts";
import { DELETE_WAIT_MS } from "./delete-conversation.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const send = (prompt: string, mode?: "immediate") =>
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web", ...(mode === undefined ? {} : { mode }) });
const closing = expect.objectContaining({ code: "conversation-closing" });

/** A running turn, two prompts behind it, and a command that does not die when it is killed. */
async function busyConversation() {
	send("One");
	const turn = await bed.runtime.nextTurn();
	const waiting = send("Two");
	send("Three");
	bed.conversations.exec({ conversationId: id, command: "sleep 100", origin: "web" });
	const command = bed.shell.commands[0];
	if (command === undefined) throw new Error("no command");
	command.stubborn = true;
	return { turn, waiting, command };
}

test("[CV100] a conversation that is being deleted takes up nothing of its queue", async () => {
	const { command } = await busyConversation();
	const deleting = bed.conversations.delete(id);
	await bed.clock.advance(1_000);
	expect(bed.conversations.active()).toEqual([]);
	expect(bed.conversations.queue(id)).toHaveLength(2);
	command.finish({ end: "killed" });
	await bed.clock.advance(100);
	await deleting;
	expect(bed.conversations.find(id)).toBeUndefined();
	expect(bed.runtime.opened).toHaveLength(1);
});

test("[CV101] prompt, steer, command, answer and every change are refused while a conversation is being deleted", async () => {
	const { turn, waiting, command } = await busyConversation();
	void turn.options.ask({ question: "Which?", allowFreeform: true }, new AbortController().signal);
	const [question] = bed.conversations.pending(id).questions;
	if (question === undefined) throw new Error("no question");
	const deleting = bed.conversations.delete(id);
	expect(() => send("Four")).toThrow(closing);
	expect(() => send("Four", "immediate")).toThrow(closing);
	expect(() => bed.conversations.sendQueuedNow(id, waiting.messageId)).toThrow(closing);
	expect(() => bed.conversations.editQueued(id, waiting.messageId, "x")).toThrow(closing);
	expect(() => bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" })).toThrow(closing);
	expect(() => bed.conversations.dropBashContext(id, waiting.messageId)).toThrow(closing);
	expect(() => bed.conversations.answer({ conversationId: id, requestId: question.requestId, answer: "a", by: "web" })).toThrow(closing);
	expect(() => bed.conversations.restartShell(id)).toThrow(closing);
	await expect(bed.conversations.update(id, { title: "x" })).rejects.toThrow(closing);
	command.finish();
	await bed.clock.advance(100);
	await deleting;
	expect(() => send("Five")).toThrow(expect.objectContaining({ code: "conversation-not-found" }));
});

test("[CV102] a deletion answers in bounded time, whatever hangs, and twice at once is one", async () => {
	await busyConversation();
	bed.shell.forget = () => new Promise(() => undefined);
	bed.runtime.deleteSession = () => Promise.reject(new Error("the runtime is gone"));
	const both = Promise.all([bed.conversations.delete(id), bed.conversations.delete(id)]);
	await bed.clock.advance(DELETE_WAIT_MS + 5_000);
	await both;
	expect(bed.conversations.find(id)).toBeUndefined();
});

test("[CV103] a deletion that the disk refuses leaves a conversation that goes on", async () => {
	send("One");
	await bed.runtime.nextTurn();
	send("Two");
	const { delete: remove } = bed.store.conversations;
	bed.store.conversations.delete = () => {
		throw new Error("disk full");
	};
	const deleting = expect(bed.conversations.delete(id)).rejects.toThrow("disk full");
	await bed.clock.advance(100);
	await deleting;
	bed.store.conversations.delete = remove;
	expect(bed.conversations.queue(id)).toHaveLength(1);
	send("Three");
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
});

test("[CV104] a server that stops takes no command up and waits for nothing without end", async () => {
	await busyConversation();
	let isClosed = false;
	const stopping = bed.conversations.close(0).then(() => {
		isClosed = true;
	});
	expect(() => bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" })).toThrow(
		expect.objectContaining({ code: "shutting-down" }),
	);
	await bed.clock.advance(12_000);
	expect(isClosed).toBe(true);
	await stopping;
});

test("[BX100] a stopped command whose end the shell never tells ends as lost, with what it printed", async () => {
	const { command } = await busyConversation();
	const watcher = bed.watch(id);
	command.output("half\n");
	const execId = bed.conversations.exec({ conversationId: id, command: "x", origin: "web" }).execId;
	bed.conversations.killExec(execId);
	const running = watcher.frames.find((frame) => frame.type === "copilot:snapshot")?.data.commands[0]?.execId;
	if (running === undefined) throw new Error("not running");
	bed.conversations.killExec(toExecId(running));
	await bed.clock.advance(KILL_WAIT_MS + 100);
	expect(watcher.of("bash:done")).toMatchObject([
		{ execId, exitCode: 143 },
		{ execId: running, exitCode: -1 },
	]);
	expect(watcher.of("copilot:user_message").at(-1)?.content).toContain("half\n[stopped; its end was not seen");
	expect(bed.conversations.killExec(toExecId(running))).toBe(false);
});
