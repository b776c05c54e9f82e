import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
	writeFileSync(join(ui.server().workdir, "wanted-notes.md"), "# Notes\n");
});
afterAll(() => ui.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true });
const log = (page: Page) => page.getByRole("log", { name: "Conversation" });

test("[PG76] a prompt is answered, queued ones wait in sight, and Stop ends the turn", async () => {
	const { page, problems, close } = await ui.open();
	await box(page).fill("tell me a long story");
	await send(page).click();
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
	await box(page).fill("first in line");
	await send(page).click();
	await box(page).fill("second in line");
	await send(page).click();
	const queue = page.getByRole("region", { name: "Queued prompts" });
	await queue.getByText("2 prompts wait").waitFor();
	await queue.getByRole("listitem").nth(1).getByRole("button", { name: "Move up" }).click();
	await queue.getByRole("listitem").first().getByText("second in line").waitFor();
	for (const name of ["Drop", "Drop"]) await queue.getByRole("listitem").first().getByRole("button", { name }).click();
	await queue.waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Stop", exact: true }).click();
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
	expect(problems).toEqual([]);
	await close();
});

test("[PG56] a shell line runs in the shell and its result waits for the next prompt until it is left out", async () => {
	const { page, close } = await ui.open();
	await box(page).fill("!echo from-the-shell");
	await page.getByText("Runs in the shell").waitFor();
	await page.keyboard.press("Enter");
	await log(page).getByText("from-the-shell", { exact: true }).waitFor();
	await page.getByRole("button", { name: "Leave out the result of echo from-the-shell" }).click();
	await page.getByRole("region", { name: "Goes along with the next prompt" }).waitFor({ state: "detached" });
	await close();
});

test("[PG51] a draft survives a reload", async () => {
	const { page, close } = await ui.open();
	await box(page).fill("!true");
	await page.keyboard.press("Enter");
	// The address changes a moment before the box is the one of the new conversation.
	await log(page).getByRole("article", { name: "Command" }).waitFor();
	await box(page).fill("half a thought");
	await page.reload();
	await expect.poll(() => box(page).inputValue()).toBe("half a thought");
	await close();
});

test("[PG52] @ finds a file of the working directory and puts its path into the prompt", async () => {
	const { page, close } = await ui.open();
	await box(page).fill("!true");
	await page.keyboard.press("Enter");
	await page.waitForURL(/\/c\//);
	await box(page).pressSequentially("read @wanted");
	await page.getByRole("option", { name: /wanted-notes\.md/ }).waitFor();
	await page.keyboard.press("Enter");
	expect(await box(page).inputValue()).toBe("read @wanted-notes.md ");
	await close();
});

test("[PG67] a file is uploaded as soon as it is chosen, can be removed, and goes along with the prompt", async () => {
	const { page, close } = await ui.open();
	const files = page.getByRole("list", { name: "Attached files" });
	const choose = () =>
		page.locator('input[type="file"]').setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") });
	await choose();
	await files.getByRole("button", { name: "Remove plan.txt" }).click();
	await files.waitFor({ state: "detached" });
	await choose();
	await files.getByText("8 B").waitFor();
	await box(page).fill("read the plan");
	await expect.poll(() => files.getByRole("img").count()).toBe(0);
	await send(page).click();
	await log(page).getByText("plan.txt").first().waitFor();
	await close();
});
