import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PHONE } from "../../support/browser.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
	writeFileSync(join(ui.server().workdir, "會議 記錄.md"), "# Notes\n");
});
afterAll(() => ui.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const files = (page: Page) => page.getByRole("list", { name: "Attached files" });

test("[PG125] @ finds a file before the first prompt, by Chinese letters, and quotes a name with spaces", async () => {
	const { page, close } = await ui.open();
	await box(page).pressSequentially("read @記錄");
	await page.getByRole("option", { name: /會議 記錄\.md/ }).waitFor();
	await page.keyboard.press("Enter");
	await expect.poll(() => box(page).inputValue()).toBe('read @"會議 記錄.md" ');
	await close();
});

test("[PG124] a first prompt that cannot be sent stays in the box with its files", async () => {
	const { page, close } = await ui.open();
	const attach = () =>
		page.locator('input[type="file"]').setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
	await attach();
	await files(page).getByRole("button", { name: "Remove plan.txt" }).waitFor();
	await page.getByRole("img", { name: "Uploading plan.txt" }).waitFor({ state: "detached" });
	await box(page).fill("look at this");
	await page.context().setOffline(true);
	await page.keyboard.press("Enter");
	await page.getByText("The server cannot be reached").waitFor();
	expect(await box(page).inputValue()).toBe("look at this");
	await files(page).getByText("plan.txt").waitFor();
	await close();
});

test("[PG126] a text too long for a prompt is pasted as a file, and twenty files leave the box on a phone's screen", async () => {
	const { page, close } = await ui.open("/", PHONE);
	await page.getByRole("button", { name: "Attach files" }).waitFor();
	await box(page).evaluate((element) => {
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", "a line of a log\n".repeat(20_000));
		element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
	});
	await files(page)
		.getByText(/^pasted-\d{6}\.txt$/)
		.waitFor();
	expect(await box(page).inputValue()).toBe("");
	const many = Array.from({ length: 19 }, (_, index) => ({ name: `file-${index}.txt`, mimeType: "text/plain", buffer: Buffer.from("x") }));
	await page.locator('input[type="file"]').setInputFiles(many);
	await files(page).getByText("file-18.txt").waitFor();
	const place = await page.getByRole("log", { name: "Conversation" }).boundingBox();
	expect(place?.height).toBeGreaterThan(300);
	await close();
});

test("[PG127] Arabic stands at the right in a prompt and in an answer, English beside it at the left", async () => {
	const { page, close } = await ui.open();
	const starts = (text: string) =>
		page.evaluate((wanted) => {
			const walker = document.createTreeWalker(document.querySelector('[role="log"]') ?? document.body, NodeFilter.SHOW_TEXT);
			for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
				const at = node.textContent?.indexOf(wanted) ?? -1;
				if (at < 0) continue;
				const range = document.createRange();
				range.setStart(node, at);
				range.setEnd(node, at + wanted.length);
				const around = node.parentElement?.getBoundingClientRect();
				const place = range.getBoundingClientRect();
				if (around === undefined) return "nowhere";
				return place.left - around.left > around.right - place.right ? "right" : "left";
			}
			return "nowhere";
		}, text);
	await box(page).fill("مرحبا بالعالم\nEnglish words that make this line much longer than the other");
	await page.keyboard.press("Enter");
	await page.getByRole("article", { name: "You" }).waitFor();
	expect([await starts("مرحبا"), await starts("English")]).toEqual(["right", "left"]);
	await close();
});

test("[PG128] what is written where the conversation is gone begins a new one", async () => {
	const { page, close } = await ui.open("/c/gone-for-good");
	await page.getByText("This conversation is not here").waitFor();
	await page.getByRole("combobox", { name: "Model" }).getByText("Demo pilot").waitFor();
	await box(page).fill("!echo begun-anew");
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("begun-anew", { exact: true }).waitFor();
	expect(page.url()).not.toContain("gone-for-good");
	await close();
});
