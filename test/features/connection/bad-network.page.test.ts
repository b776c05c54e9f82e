import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { answers, numbered, type PageHarness, prompts, say, shownWords, startPage } from "../../support/page-harness.ts";
import { createGate, pause, text, tokens, waitFor } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
});
afterAll(() => it.close());
afterEach(() => it.proxy.resume());

const WORDS = 120;
const counted = tokens(WORDS, 30, (index) => `word${index} `);

test("[PG42] connections cut again and again in mid-answer: every word is there once, in order, soon after", async () => {
	const { page } = await it.openPage();
	it.model.reply(counted, text("The end."));
	await say(page, "Count");
	await answers(page).getByText("word5 ").waitFor();
	for (let cut = 0; cut < 4; cut++) {
		it.proxy.cut();
		await page.waitForTimeout(400);
	}
	await answers(page).getByText("The end.").waitFor();
	expect(await shownWords(page)).toBe(numbered(WORDS));
	expect(await prompts(page).count()).toBe(1);
});

test("[PG43] the server is killed in mid-answer: the words stay, marked as interrupted, with Continue, and nothing runs again", async () => {
	const { page } = await it.openPage();
	const gate = createGate();
	it.model.reply(text(`${numbered(30)} `), waitFor(gate), text("never shown"));
	await say(page, "Count");
	await answers(page).getByText("word29").waitFor();
	const asked = it.model.requests.length;
	await it.restart();
	await answers(page).getByText("Interrupted").waitFor({ timeout: 60_000 });
	expect(await shownWords(page)).toBe(numbered(30));
	expect(it.model.requests.length).toBe(asked);
	it.model.reply(text("Going on."));
	await page.getByRole("button", { name: "Continue" }).click();
	await answers(page).getByText("Going on.").waitFor();
	gate.open();
});

test("[PG14] a prompt sent without a connection waits, goes out by itself and runs once", async () => {
	const { page } = await it.openPage();
	it.model.reply(text("Ready."));
	await say(page, "Warm up");
	await answers(page).getByText("Ready.").waitFor();
	const asked = it.model.requests.length;
	it.model.reply(pause(50), text("Got it."));
	it.proxy.refuse();
	it.proxy.cut();
	await say(page, "Sent into the dark");
	await prompts(page).last().getByText("Waits on this device").waitFor();
	it.proxy.resume();
	await answers(page).getByText("Got it.").waitFor({ timeout: 40_000 });
	expect(await prompts(page).getByText("Sent into the dark").count()).toBe(1);
	expect(it.model.requests.length).toBe(asked + 1);
});

test("[PG133] a prompt sent in the moment of a reload is not lost", async () => {
	const { page } = await it.openPage();
	it.model.reply(text("Ready."));
	await say(page, "Warm up");
	await answers(page).getByText("Ready.").waitFor();
	const conversation = new URL(page.url()).pathname.replace("/c/", "");
	const sent = Array.from({ length: 15 }, (_, index) => `In the last moment ${index}`);
	for (const prompt of sent) {
		it.model.reply(text("Yes."));
		await page.locator("header").getByRole("status").waitFor();
		const box = page.getByRole("textbox", { name: "Message" });
		await box.fill(prompt);
		await page.evaluate(() => window.addEventListener("keydown", () => location.reload(), { once: true }));
		const loaded = page.waitForEvent("load");
		await box.press("Enter");
		await loaded;
	}
	const stored = async () => {
		const { messages }: { messages: { role: string; content: string }[] } = await (
			await it.server().api(`/api/conversations/${conversation}/messages?limit=100`)
		).json();
		return messages.filter((message) => message.role === "user").map((message) => message.content);
	};
	await expect.poll(stored, { timeout: 20_000 }).toEqual(["Warm up", ...sent]);
});
