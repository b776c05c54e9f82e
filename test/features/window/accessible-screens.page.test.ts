import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings, unmarkedFolds } from "../../support/accessible.ts";
import { PHONE } from "../../support/browser.ts";
import { type PageHarness, startPage, untilKeysAreHeard } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
});
afterAll(() => ui.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });

async function talk(page: Page): Promise<void> {
	await box(page).fill("show me Markdown");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached", timeout: 60_000 });
	await box(page).fill("!ls -la /nonexistent");
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: "Goes along with the next prompt" }).waitFor();
}

test("[PG88] what would keep someone from using the page is found, in the whole page and in a part of it", async () => {
	const { page } = await ui.openPage();
	await box(page).waitFor();
	await page.evaluate(() => {
		const pale = Object.assign(document.createElement("p"), { id: "pale", textContent: "Hardly to be read" });
		pale.style.cssText = "color: #999; background: #aaa";
		document.querySelector("main")?.append(document.createElement("button"), pale);
	});
	expect((await seriousFindings(page)).map((finding) => finding.split(":")[0])).toEqual(["button-name", "color-contrast"]);
	expect(await seriousFindings(page, { part: "#pale", theme: "dark" })).toEqual([expect.stringContaining("color-contrast")]);
	expect(await seriousFindings(page, { part: "#message" })).toEqual([]);
});

// Each round is a test of its own: together they would be one deadline for a dozen runs of axe.
for (const colorScheme of ["light", "dark"] as const) {
	const whole = { theme: colorScheme };
	const dialog = { part: "dialog", theme: colorScheme };

	test(`[PG88] axe finds nothing serious at the login and before the first prompt, ${colorScheme}`, async () => {
		const stranger = await ui.openStranger(ui.server().url, { colorScheme });
		await stranger.page.getByRole("textbox", { name: "Access token" }).waitFor();
		expect(await seriousFindings(stranger.page, whole)).toEqual([]);
		await stranger.close();
		const { page } = await ui.openPage("/", { colorScheme });
		await box(page).waitFor();
		expect(await seriousFindings(page, whole)).toEqual([]);
	});

	test(`[PG88] axe finds nothing serious in a conversation and its panels, ${colorScheme}`, async () => {
		const { page } = await ui.openPage("/", { colorScheme });
		await talk(page);
		await box(page).fill("/");
		await page.getByRole("listbox", { name: "Commands" }).waitFor();
		expect(await seriousFindings(page, whole)).toEqual([]);
		await box(page).fill("!shell");
		await page.getByRole("button", { name: "Processes" }).click();
		await page.getByText("Nothing runs in the background").waitFor();
		expect(await seriousFindings(page, whole)).toEqual([]);
		await page.getByRole("button", { name: "Terminal" }).click();
		await page.locator(".xterm-rows").getByText(/[#$]/).first().waitFor();
		expect(await seriousFindings(page, whole)).toEqual([]);
	});

	test(`[PG88] axe finds nothing serious in the settings and the palette, ${colorScheme}`, async () => {
		const { page } = await ui.openPage("/", { colorScheme });
		await page.getByRole("button", { name: "Settings" }).click();
		for (const section of ["General", "Model", "Notifications", "Telegram", "Devices", "Security", "Activity", "About"]) {
			await page.getByRole("dialog").getByRole("button", { name: section, exact: true }).click();
			await expect.poll(() => page.getByRole("dialog").getByText("Loading…").count()).toBe(0);
			expect(await seriousFindings(page, dialog), section).toEqual([]);
		}
		await page.keyboard.press("Escape");
		await page.getByRole("dialog", { name: "Settings" }).waitFor({ state: "hidden" });
		await untilKeysAreHeard(page);
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
		expect(await seriousFindings(page, dialog)).toEqual([]);
	});
}

test("[PG1081] what can be opened has a mark before it, in the first steps, the conversation and the settings", async () => {
	const { page } = await ui.openPage();
	await page.getByText("Install another agent").waitFor();
	expect(await unmarkedFolds(page)).toEqual([]);
	await talk(page);
	expect(await page.locator("summary").count()).toBeGreaterThan(0);
	expect(await unmarkedFolds(page)).toEqual([]);
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Set-up", exact: true }).click();
	await page.getByText("Add a server").waitFor();
	expect(await unmarkedFolds(page)).toEqual([]);
});

test("[PG919] the palette opens the schedules, and a keyboard alone makes one and leaves", async () => {
	const { page } = await ui.openPage();
	await box(page).waitFor();
	await untilKeysAreHeard(page);
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: "Search and commands" }).fill("Schedules");
	await page.getByRole("option", { name: "Schedules", exact: true }).waitFor();
	await page.keyboard.press("Enter");
	const dialog = page.getByRole("dialog", { name: "Schedules" });
	await dialog.getByText("Nothing is scheduled.").waitFor();
	await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
	await page.keyboard.type("Read the news");
	await page.keyboard.press("Tab");
	for (const _ of ["Every day", "Monday to Friday", "Every hour"]) await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Tab");
	await page.keyboard.press("Enter");
	await dialog.getByRole("list", { name: "Schedules" }).getByText("Every hour · Each time in a new conversation").waitFor();
	await dialog.getByText(/^Next: /).waitFor();
	for (const theme of ["light", "dark"] as const) expect(await seriousFindings(page, { part: "dialog", theme })).toEqual([]);
	await page.keyboard.press("Escape");
	await dialog.waitFor({ state: "hidden" });
});

test("[PG89] at 390x844 nothing scrolls sideways and everything is within reach, in both languages", async () => {
	for (const locale of ["en-US", "zh-TW"]) {
		const english = locale === "en-US";
		const { page, problems, close } = await ui.open("/", { ...PHONE, locale });
		const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
		await page.getByRole("textbox", { name: english ? "Message" : "訊息" }).waitFor();
		await page.getByRole("combobox", { name: english ? "Model" : "模型" }).click();
		const listed = await page.getByRole("listbox", { name: english ? "Model" : "模型" }).boundingBox();
		expect(listed?.x).toBeGreaterThanOrEqual(0);
		expect((listed?.x ?? 0) + (listed?.width ?? 999)).toBeLessThanOrEqual(390);
		await page.keyboard.press("Escape");
		if (english) await talk(page);
		expect(await sideways()).toBe(0);
		expect(await seriousFindings(page)).toEqual([]);
		for (const name of english ? ["Send", "Attach files"] : ["送出", "附加檔案"]) {
			const place = await page.getByRole("button", { name, exact: true }).boundingBox();
			expect(place?.height, name).toBeGreaterThanOrEqual(36);
			expect((place?.x ?? 0) + (place?.width ?? 999), name).toBeLessThanOrEqual(390);
		}
		await page.getByRole("button", { name: english ? "Open conversation list" : "開啟對話列表" }).click();
		await page
			.getByRole("list", { name: english ? "Conversations" : "對話" })
			.getByRole("link")
			.first()
			.waitFor();
		expect(await seriousFindings(page)).toEqual([]);
		await page.getByRole("button", { name: english ? "Settings" : "設定" }).click();
		await page.getByRole("dialog", { name: english ? "Settings" : "設定" }).waitFor();
		expect(await sideways()).toBe(0);
		expect(problems).toEqual([]);
		await close();
	}
});

test("[PG90] a keyboard alone is enough: write, find the conversation again, choose the model, leave a dialog", async () => {
	const { page, close } = await ui.open();
	await untilKeysAreHeard(page);
	await page.keyboard.press("/");
	await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
	await page.keyboard.type("!echo typed");
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("typed", { exact: true }).first().waitFor();
	await page.keyboard.press("Control+Shift+o");
	await page.waitForURL((url) => url.pathname === "/");
	await page.keyboard.press("Alt+ArrowDown");
	await page.waitForURL(/\/c\//);
	await page.keyboard.press("Control+Shift+m");
	await page.getByRole("listbox", { name: "Model" }).waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("listbox", { name: "Model" }).waitFor({ state: "hidden" });
	const settings = page.getByRole("button", { name: "Settings" });
	await settings.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("dialog", { name: "Settings" }).waitFor();
	await page.keyboard.press("Escape");
	await expect.poll(() => settings.evaluate((element) => element === document.activeElement)).toBe(true);
	await close();
});
