import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { answers, numbered, type PageHarness, say, shownWords, startPage } from "../../support/page-harness.ts";
import { text, tokens } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
});
afterAll(() => it.close());
afterEach(() => it.proxy.resume());

const WORDS = 120;

test("[PG42] a connection that falls silent is noticed within 10 s, and the text is complete soon after it is back", async () => {
	const { page } = await it.openPage();
	it.model.reply(
		tokens(WORDS, 30, (index) => `word${index} `),
		text("The end."),
	);
	await say(page, "Count");
	await answers(page).getByText("word5 ").waitFor();
	it.proxy.freeze();
	const frozenAt = Date.now();
	await page
		.getByRole("status")
		.filter({ hasText: /onnecting/ })
		.waitFor({ timeout: 20_000 });
	// The rest is for a slow machine.
	expect(Date.now() - frozenAt).toBeLessThan(10_800);
	it.proxy.cut();
	it.proxy.resume();
	await answers(page).getByText("The end.").waitFor({ timeout: 20_000 });
	expect(await shownWords(page)).toBe(numbered(WORDS));
});
