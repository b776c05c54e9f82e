import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
});
afterAll(() => ui.close());

test("[PG70] the printed link logs in by itself, once, and its code leaves the address", async () => {
	const { page, close } = await ui.openStranger(ui.server().loginUrl);
	await page.getByRole("textbox", { name: "Message" }).waitFor();
	expect(new URL(page.url()).hash).toBe("");
	await close();
	const second = await ui.openStranger(ui.server().loginUrl);
	await second.page.getByRole("alert").filter({ hasText: "used already" }).waitFor();
	expect(new URL(second.page.url()).hash).toBe("");
	await second.close();
});

test("[PG82] the access token logs in, and logging out leads back to the form", async () => {
	const { page, close } = await ui.openStranger(`${ui.server().url}/?lang=en`);
	await page.getByRole("textbox", { name: "Access token" }).fill("not the token");
	await page.getByRole("button", { name: "Log in" }).click();
	await page.getByRole("alert").filter({ hasText: "not right" }).waitFor();
	await page.getByRole("textbox", { name: "Access token" }).fill(ui.server().token);
	await page.keyboard.press("Enter");
	await page.getByRole("textbox", { name: "Message" }).waitFor();
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Devices" }).click();
	await page.getByRole("img", { name: "Code to scan" }).waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Show link and code" }).click();
	await page.getByRole("img", { name: "Code to scan with the other device" }).waitFor();
	await page.getByRole("button", { name: "Log out here" }).click();
	await page.getByRole("textbox", { name: "Access token" }).waitFor();
	await close();
});

test("[PG83] the page speaks Traditional Chinese when the browser does", async () => {
	const { page, close } = await ui.openStranger(ui.server().url, { locale: "zh-TW" });
	await page.getByRole("textbox", { name: "存取權杖" }).waitFor();
	expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-Hant");
	await close();
});
