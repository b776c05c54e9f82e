import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { PHONE } from "../../support/browser.ts";
import { answers, log, type PageHarness, say, startPage } from "../../support/page-harness.ts";
import { reasoning, text, toolCall, usage } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
let path = "/";
beforeAll(async () => {
	it = await startPage();
	path = await makeConversation();
});
afterAll(() => it.close());

const ANSWER =
	"## Heading\n\nText with [a link](https://example.com/x), `code` and **bold**.\n\n- one\n- [x] two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst x: number = 1; // comment\n```\n\n> quote $a^2$\n\n![p](https://example.com/p.png)";

/** One conversation with everything that a transcript can hold. */
async function makeConversation(): Promise<string> {
	const { page, close } = await it.open();
	it.model.reply(reasoning("Thinking about it."), text("First."), toolCall("Bash", { command: "seq 1 40; exit 3" }), usage(900, 40));
	it.model.reply(toolCall("create", { path: `${it.server().workdir}/new.txt`, file_text: "one\ntwo\n" }), usage(950, 20));
	it.model.reply(text(ANSWER), usage(1_000, 90));
	await say(page, "Everything, please");
	await answers(page).getByText("Heading").waitFor();
	await say(page, "!ls /nowhere");
	await log(page).getByRole("article", { name: "Command" }).getByText("exit 2", { exact: true }).waitFor();
	it.model.reply(toolCall("ask_user", { question: "Which one?", choices: ["This", "That"] }));
	it.model.default(() => [text("Nothing else.")]);
	await say(page, "Ask");
	await page.getByRole("group", { name: "Question" }).waitFor();
	const { pathname } = new URL(page.url());
	await close();
	return pathname;
}

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const theme of ["light", "dark"] as const) {
	for (const [where, size] of [
		["at a desk", {}],
		["on a phone", PHONE],
	] as const) {
		test(`[PG88] [PG89] axe finds nothing serious ${where} in the ${theme} theme, and nothing scrolls sideways`, async () => {
			const { page, problems, close } = await it.open(path, { ...size, colorScheme: theme });
			await page.getByRole("group", { name: "Question" }).waitFor();
			await log(page).locator(".tk-keyword").first().waitFor({ state: "attached" });
			expect(await seriousFindings(page, { theme })).toEqual([]);
			expect(await sideways(page)).toBe(0);
			await log(page).evaluate((box) => box.scrollTo(0, 0));
			for (const summary of await log(page).locator("details > summary").all()) await summary.click();
			expect(await seriousFindings(page, { theme })).toEqual([]);
			expect(await sideways(page)).toBe(0);
			await page.goto(`${it.proxy.url}/`);
			await page.getByRole("textbox", { name: "Message" }).waitFor();
			expect(await seriousFindings(page, { theme })).toEqual([]);
			expect(await sideways(page)).toBe(0);
			expect(problems).toEqual([]);
			await close();
		});
	}
}

test("[PG83] the whole page speaks Traditional Chinese when asked to", async () => {
	const { page, close } = await it.open(`${path}?lang=zh-Hant`);
	await page.getByRole("log", { name: "對話內容" }).waitFor();
	expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-Hant");
	await close();
});
