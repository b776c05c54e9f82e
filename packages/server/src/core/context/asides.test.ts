import { MAX_ASIDE_ANSWER_CHARS, MAX_ASIDE_CHARS } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { MAX_ASIDES, MAX_REMEMBERED_ASIDES, REMEMBERED_ASIDE_MS } from "./asides.ts";

let bed: CoreBed;
let id: ConversationId;
let asked: string[];
beforeEach(async () => {
	bed = await createCoreBed();
	bed.runtime.able = { ...bed.runtime.able, asides: true };
	asked = [];
	bed.runtime.aside = async (question) => {
		asked.push(question);
		return `re: ${question}`;
	};
	id = await bed.begin();
});
afterEach(() => bed.close());

const ask = (question: string, requestId?: string) => bed.conversations.askAside(id, { question, requestId });

test("[CX20] a side question is answered while a turn runs and leaves no trace in log or messages", async () => {
	bed.conversations.prompt({ conversationId: id, prompt: "work", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.text("working");
	await bed.clock.advance(100);
	const watcher = bed.watch(id);
	const before = [watcher.frames.length, bed.conversations.get(id)];
	expect(await ask("What is it?")).toBe("re: What is it?");
	await bed.clock.advance(100);
	expect([watcher.frames.length, bed.conversations.get(id)]).toEqual(before);
	expect(bed.conversations.messages(id, { limit: 9 }).messages).toHaveLength(1);
	expect(turn.steered).toEqual([]);
	turn.end();
});

test("[CX20] without a running turn the session is opened for it", async () => {
	expect(await ask("Who?")).toBe("re: Who?");
	expect(bed.runtime.opened).toHaveLength(1);
	expect(bed.conversations.messages(id, { limit: 9 }).messages).toEqual([]);
});

test("[CX21] at a limit no side question is asked", async () => {
	await bed.conversations.update(id, { budget: { tokens: 10 } });
	bed.conversations.prompt({ conversationId: id, prompt: "work", origin: "web" });
	await bed.clock.advance(100);
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "usage", inputTokens: 10, outputTokens: 1, model: "model-a" });
	turn.end();
	await bed.clock.advance(100);
	await expect(ask("And?")).rejects.toMatchObject({ code: "rate-limited", params: { reason: "budget" } });
	expect(asked).toEqual([]);
});

test("[CX22] four of a conversation wait at once, and a fifth is refused until one is answered", async () => {
	const answers: ((text: string) => void)[] = [];
	bed.runtime.aside = () => new Promise((resolve) => answers.push(resolve));
	const waiting = Array.from({ length: MAX_ASIDES }, (_, index) => ask(`q${index}`));
	await bed.clock.advance(10);
	await expect(ask("one more")).rejects.toMatchObject({ code: "rate-limited", params: { reason: "asides", max: MAX_ASIDES } });
	answers[0]?.("done");
	expect(await waiting[0]).toBe("done");
	const last = ask("one more");
	await bed.clock.advance(10);
	for (const answer of answers) answer("done");
	expect(await Promise.all([...waiting, last])).toEqual(Array.from({ length: MAX_ASIDES + 1 }, () => "done"));
});

test("[CX23] asked again with its id the model is asked once; other words are refused, a failure can be asked again, and the memory is bounded", async () => {
	const both = await Promise.all([ask("Why?", "a1"), ask("Why?", "a1")]);
	expect([both, asked]).toEqual([["re: Why?", "re: Why?"], ["Why?"]]);
	await expect(ask("How?", "a1")).rejects.toMatchObject({ code: "id-reused" });
	for (let n = 0; n < MAX_REMEMBERED_ASIDES; n += 1) await ask("x", `b${n}`);
	await ask("Why?", "a1");
	expect(asked.filter((question) => question === "Why?")).toHaveLength(2);
	await bed.clock.advance(REMEMBERED_ASIDE_MS + 1);
	await ask("Why?", "a1");
	expect(asked.filter((question) => question === "Why?")).toHaveLength(3);
});

test("[CX23] one that failed may be asked again under its id", async () => {
	let fails = true;
	bed.runtime.aside = async () => {
		if (fails) throw new Error("no answer");
		return "now";
	};
	await expect(ask("Why?", "a1")).rejects.toThrow("no answer");
	fails = false;
	expect(await ask("Why?", "a1")).toBe("now");
});

test("[CX24] question and answer are bounded; an agent that has no such thing refuses in one sentence, and is not started for it", async () => {
	expect(await ask("Is it s3cret-value?")).not.toContain("s3cret");
	expect(asked[0]).not.toContain("s3cret");
	bed.runtime.aside = async () => `s3cret-value ${"a".repeat(MAX_ASIDE_ANSWER_CHARS)}`;
	await bed.conversations.release(id);
	expect(await ask("Why?")).not.toContain("s3cret");
	expect((await ask("Why?")).length).toBeLessThanOrEqual(MAX_ASIDE_ANSWER_CHARS);
	await expect(ask(" ")).rejects.toMatchObject({ code: "empty-prompt" });
	await expect(ask("x".repeat(MAX_ASIDE_CHARS + 1))).rejects.toMatchObject({ code: "too-large" });
	bed.runtime.able = { ...bed.runtime.able, asides: false };
	id = await bed.begin();
	const opened = bed.runtime.opened.length;
	await expect(ask("Why?")).rejects.toMatchObject({ code: "agent-cannot", params: { reason: "aside" } });
	expect(bed.runtime.opened).toHaveLength(opened);
});
