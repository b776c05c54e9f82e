import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { SESSION_IDLE_MS } from "../turns/held-sessions.ts";
import { MAX_HEAVIEST, MAX_LABEL_CHARS } from "./context.ts";

let bed: CoreBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const PICTURE = { tokens: 10_400, limit: 128_000, categories: [{ kind: "messages", tokens: 2_400 }], compactionThreshold: 102_400 };
const used = { kind: "usage" as const, inputTokens: 900, outputTokens: 5, model: "model-a", contextTokens: 5_000, contextLimit: 64_000 };

async function say(prompt: string, outcome: "completed" | "interrupted" = "completed"): Promise<void> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.emit(used);
	turn.text(`answer to ${prompt}`);
	turn.end(outcome);
	await bed.clock.advance(100);
}
const compact = (clientMessageId?: string) =>
	bed.conversations.compact(id, { origin: "web", ...(clientMessageId === undefined ? {} : { clientMessageId }) });
const messages = () => bed.conversations.messages(id, { limit: 20 }).messages;

test("[CX10] a look tells what the agent says now, of a closed session what was last known, and what the newest answer said where an agent says no more", async () => {
	expect(await bed.conversations.lookAtContext(id)).toEqual({ tokens: null, limit: null, categories: [] });
	expect(bed.runtime.opened).toHaveLength(0);
	await say("one");
	expect(await bed.conversations.lookAtContext(id)).toEqual({ tokens: 5_000, limit: 64_000, categories: [] });
	await bed.conversations.release(id);
	bed.runtime.context = async () => PICTURE;
	await say("two");
	expect(await bed.conversations.lookAtContext(id)).toEqual(PICTURE);
	const then = new Date(bed.clock.now()).toISOString();
	await bed.clock.advance(SESSION_IDLE_MS);
	const opened = bed.runtime.opened.length;
	expect(await bed.conversations.lookAtContext(id)).toEqual({ ...PICTURE, asOf: then });
	expect(bed.runtime.opened).toHaveLength(opened);
	bed.runtime.context = () => Promise.reject(new Error("gone"));
	await say("three");
	expect(await bed.conversations.lookAtContext(id)).toEqual({ ...PICTURE, asOf: then });
});

test("[CX11] what an agent says of its context is bounded", async () => {
	const heaviest = Array.from({ length: 9 }, () => ({ role: "tool", label: `s3cret-value ${"字".repeat(500)}`, tokens: 7 }));
	bed.runtime.context = async () => ({
		...PICTURE,
		heaviest,
		categories: Array.from({ length: 99 }, () => ({ kind: "k".repeat(99), tokens: 1 })),
	});
	await say("one");
	const picture = await bed.conversations.lookAtContext(id);
	expect(picture.heaviest).toHaveLength(MAX_HEAVIEST);
	expect(picture.heaviest?.[0]?.label.length).toBeLessThanOrEqual(MAX_LABEL_CHARS);
	expect(JSON.stringify(picture)).not.toContain("s3cret");
	expect([picture.categories.length, picture.categories[0]?.kind.length]).toEqual([20, 40]);
});

test("[CX15] [CX18] compacting is a turn with a notice that stays; results that wait go on waiting, and nothing waits in the inbox", async () => {
	await say("one");
	bed.conversations.exec({ conversationId: id, command: "ls", origin: "web" });
	bed.shell.commands[0]?.finish();
	await bed.clock.advance(100);
	const waiting = bed.conversations.pendingBashContext(id);
	const watcher = bed.watch(id);
	await compact();
	const turn = await bed.runtime.nextTurn();
	expect(turn.input).toEqual({ prompt: "", displayPrompt: "", task: "compact" });
	turn.emit(
		{ kind: "notice", code: "compacted", message: "…", params: { before: 9, after: 3 }, lasting: true },
		{ ...used, contextTokens: 3 },
	);
	turn.end();
	await bed.clock.advance(100);
	const [prompt, answer] = messages().slice(-2);
	expect(prompt).toMatchObject({ role: "user", content: "/compact", metadata: { task: "compact" } });
	expect(answer).toMatchObject({
		metadata: { outcome: "completed", notices: [{ code: "compacted", params: { before: 9, after: 3 } }], usage: { contextTokens: 3 } },
	});
	expect(watcher.of("copilot:idle")).toHaveLength(1);
	expect(bed.conversations.pendingBashContext(id)).toEqual(waiting);
	expect(bed.conversations.inbox.list()).toEqual([]);
});

test("[CX15] a compacting turn is stopped like any other, and the next prompt quotes what was interrupted before it", async () => {
	await say("one", "interrupted");
	await compact();
	const turn = await bed.runtime.nextTurn();
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	expect(turn.signal.aborted).toBe(true);
	expect(messages().at(-1)?.metadata).toMatchObject({ outcome: "aborted" });
	bed.conversations.prompt({ conversationId: id, prompt: "go on", origin: "web" });
	expect((await bed.runtime.nextTurn()).input.prompt).toContain("Your previous answer was interrupted. It ended with:]\nanswer to one");
});

test("[CX16] nothing is compacted while a turn runs or a prompt waits, before anything was said, or by an agent that cannot", async () => {
	await expect(compact()).rejects.toMatchObject({ code: "bad-request", params: { reason: "nothing-to-compact" } });
	await say("one");
	bed.conversations.prompt({ conversationId: id, prompt: "two", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	await expect(compact()).rejects.toMatchObject({ code: "conversation-busy" });
	turn.end("error", { code: "provider-error", message: "x" });
	await bed.clock.advance(100);
	bed.runtime.compacting = false;
	await expect(compact()).rejects.toMatchObject({ code: "agent-cannot", params: { reason: "compact" } });
	expect(messages().some(({ content }) => content === "/compact")).toBe(false);
});

test("[CX16] repeated with its id it happens once, also while it runs", async () => {
	await say("one");
	const first = await compact("c1");
	expect(await compact("c1")).toMatchObject({ messageId: first.messageId, duplicate: true });
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(100);
	expect(await compact("c1")).toMatchObject({ duplicate: true });
	expect(messages().filter(({ content }) => content === "/compact")).toHaveLength(1);
});

test("[CX18] an agent that has lost its history is not told of the compacting", async () => {
	await say("one");
	await compact();
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(100);
	await bed.conversations.release(id);
	bed.runtime.loseNextHistory();
	bed.conversations.prompt({ conversationId: id, prompt: "two", origin: "web" });
	const { prompt } = (await bed.runtime.nextTurn()).input;
	expect(prompt).toContain("answer to one");
	expect(prompt).not.toContain("/compact");
});
