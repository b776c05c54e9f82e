import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { messagesOnDevice } from "../../support/kept-on-device.ts";
import { answers, type PageHarness, prompts, say, startPage } from "../../support/page-harness.ts";
import { text } from "../../support/scripted-model-steps.ts";

let it: PageHarness;
beforeAll(async () => {
	it = await startPage();
});
afterAll(() => it.close());
afterEach(() => it.proxy.resume());

test("[PG132] loaded again in a network that swallows everything: the kept conversation is there with the state, and goes on by itself", async () => {
	const { page } = await it.openPage();
	it.model.reply(text("Kept on the device."));
	await say(page, "Keep this");
	await answers(page).getByText("Kept on the device.").waitFor();
	await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
	await page.reload();
	await answers(page).getByText("Kept on the device.").waitFor();
	// The page writes what it shows to the device a moment later.
	await expect.poll(() => page.evaluate(messagesOnDevice), { timeout: 20_000 }).toContain("Kept on the device.");
	it.proxy.freeze();
	const frozenAt = Date.now();
	await page.reload({ waitUntil: "commit" });
	await answers(page).getByText("Kept on the device.").waitFor();
	await page
		.locator("header")
		.getByRole("status")
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
