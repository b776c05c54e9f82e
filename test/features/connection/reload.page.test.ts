import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { text } from "../../support/scripted-model-steps.ts";
import { answers, type PageHarness, prompts, say, startPage } from "../../support/scripted-page.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
});
afterAll(() => it.close());
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
	it.proxy.resume();
	for (const close of open.splice(0)) await close();
});

async function openPage(path?: string) {
	const opened = await it.open(path);
	open.push(opened.close);
	return opened.page;
}

const status = (page: Page) => page.locator("header").getByRole("status");

test("[PG132] loaded again in a network that swallows everything: the kept conversation is there with the state, and goes on by itself", async () => {
	const page = await openPage();
	it.model.reply(text("Kept on the device."));
	await say(page, "Keep this");
	await answers(page).getByText("Kept on the device.").waitFor();
	await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
	await page.reload();
	await answers(page).getByText("Kept on the device.").waitFor();
	// The page writes what it shows to the device a moment later.
	await page.waitForTimeout(2_500);
	it.proxy.freeze();
	const frozenAt = Date.now();
	await page.reload({ waitUntil: "commit" });
	await answers(page).getByText("Kept on the device.").waitFor();
	await status(page)
		.filter({ hasText: /onnecting/ })
		.waitFor();
	// 4 s until the service worker gives the kept page, and a moment for the login that nobody can confirm.
	expect(Date.now() - frozenAt).toBeLessThan(10_000);
	await say(page, "Written in silence");
	it.model.reply(text("Heard after all."));
	it.proxy.cut();
	it.proxy.resume();
	await answers(page).getByText("Heard after all.").waitFor({ timeout: 45_000 });
	expect(await prompts(page).getByText("Written in silence").count()).toBe(1);
});

test("[PG133] a prompt sent in the moment of a reload is not lost", async () => {
	const page = await openPage();
	it.model.reply(text("Ready."));
	await say(page, "Warm up");
	await answers(page).getByText("Ready.").waitFor();
	const conversation = new URL(page.url()).pathname.replace("/c/", "");
	const sent = Array.from({ length: 15 }, (_, index) => `In the last moment ${index}`);
	for (const prompt of sent) {
		it.model.reply(text("Yes."));
		await status(page).waitFor();
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
