import { afterEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { TITLE_QUESTION, TITLE_REST_MS } from "./titles.ts";

let bed: CoreBed;
afterEach(() => bed.close());

/** A core whose model answers this when it is asked for a title; `questions` are those that it was asked. */
async function open(answer: string | (() => Promise<string | undefined>), isOn = true): Promise<string[]> {
	const questions: string[] = [];
	bed = await createCoreBed({ titles: () => isOn });
	bed.runtime.aside = async (question) => {
		questions.push(question);
		return typeof answer === "string" ? answer : answer();
	};
	return questions;
}
async function say(id: ConversationId, prompt: string): Promise<void> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	const turn = await bed.runtime.nextTurn();
	turn.text("fine");
	turn.end();
	await bed.clock.advance(100);
}
const titleOf = (id: ConversationId) => bed.conversations.get(id).title;

test("[TI1] a conversation that rests after an answer is named by its model, once", async () => {
	const questions = await open("東京的天氣");
	const id = await bed.begin();
	await say(id, "明天東京的天氣如何？");
	expect(titleOf(id)).toBe("明天東京的天氣如何？");
	await bed.clock.advance(TITLE_REST_MS);
	expect(titleOf(id)).toBe("東京的天氣");
	await say(id, "後天呢？");
	await bed.clock.advance(TITLE_REST_MS);
	expect(questions).toEqual([TITLE_QUESTION]);
});

test("[TI2] a title that a person gave is not replaced, also when they gave it while the model was asked", async () => {
	let settle: (title: string) => void = () => undefined;
	const questions = await open(() => new Promise((resolve) => (settle = resolve)));
	const named = await bed.begin();
	await bed.conversations.update(named, { title: "Mine" });
	await say(named, "one");
	const id = await bed.begin();
	await say(id, "two");
	await bed.clock.advance(TITLE_REST_MS);
	expect(questions).toHaveLength(1);
	await bed.conversations.update(id, { title: "Mine too" });
	settle("The model's");
	await bed.clock.advance(100);
	expect([titleOf(named), titleOf(id)]).toEqual(["Mine", "Mine too"]);
	// Also when it is what the first prompt had made of it.
	const kept = await bed.begin();
	await say(kept, "three");
	await bed.conversations.update(kept, { title: "three" });
	await bed.clock.advance(TITLE_REST_MS);
	expect(questions).toHaveLength(1);
});

test("[TI3] a prompt that comes before the rest is over puts the question off, and one that comes meanwhile does not wait", async () => {
	let settle: (title: string) => void = () => undefined;
	const questions = await open(() => new Promise((resolve) => (settle = resolve)));
	const id = await bed.begin();
	await say(id, "one");
	await bed.clock.advance(TITLE_REST_MS - 1_000);
	bed.conversations.prompt({ conversationId: id, prompt: "two", origin: "web" });
	const turn = await bed.runtime.nextTurn();
	await bed.clock.advance(TITLE_REST_MS);
	expect(questions).toEqual([]);
	turn.end();
	await bed.clock.advance(TITLE_REST_MS + 100);
	expect(questions).toHaveLength(1);
	await say(id, "three");
	settle("Counting");
	await bed.clock.advance(100);
	expect(titleOf(id)).toBe("Counting");
});

test("[TI4] an answer becomes one short line without quotes and secrets; what is no title changes nothing", async () => {
	const answers = ['**"A s3cret-value key."**', "「天氣」", "Two\nlines", "x".repeat(300), "", undefined];
	const given = [...answers];
	await open(async () => given.shift());
	const titles: string[] = [];
	for (const [n] of answers.entries()) {
		const id = await bed.begin();
		await say(id, `prompt ${n}`);
		await bed.clock.advance(TITLE_REST_MS);
		titles.push(titleOf(id));
	}
	expect(titles).toEqual([expect.stringMatching(/^A (?!.*s3cret).* key$/), "天氣", "prompt 2", "prompt 3", "prompt 4", "prompt 5"]);
});

test("[TI6] where titles are made of the first prompt no model is asked", async () => {
	const questions = await open("never", false);
	const id = await bed.begin();
	await say(id, "one");
	await bed.clock.advance(2 * TITLE_REST_MS);
	expect([titleOf(id), questions]).toEqual(["one", []]);
});
