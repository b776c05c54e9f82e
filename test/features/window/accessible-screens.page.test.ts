import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PHONE } from "../../support/browser.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
});
afterAll(() => ui.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Findings that keep someone from using the page. */
async function findings(page: Page, part = "body", rules?: string[]): Promise<string[]> {
	await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
	const axe = new AxeBuilder({ page }).include(part);
	const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`));
}

async function talk(page: Page): Promise<void> {
	await box(page).fill("show me Markdown");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached", timeout: 60_000 });
	await box(page).fill("!ls -la /nonexistent");
	await page.keyboard.press("Enter");
	await page.getByRole("region", { name: "Goes along with the next prompt" }).waitFor();
}

// Each round is a test of its own: together they would be one deadline for a dozen runs of axe.
for (const colorScheme of ["light", "dark"] as const) {
	// Only the colours differ between the themes.
	const rules = colorScheme === "dark" ? ["color-contrast"] : undefined;

	test(`[PG88] axe finds nothing serious at the login and before the first prompt, ${colorScheme}`, async () => {
		const stranger = await ui.openStranger(ui.server().url, { colorScheme });
		await stranger.page.getByRole("textbox", { name: "Access token" }).waitFor();
		expect(await findings(stranger.page, "body", rules)).toEqual([]);
		await stranger.close();
		const { page } = await ui.openPage("/", { colorScheme });
		await box(page).waitFor();
		expect(await findings(page, "body", rules)).toEqual([]);
	});

	test(`[PG88] axe finds nothing serious in a conversation and its panels, ${colorScheme}`, async () => {
		const { page } = await ui.openPage("/", { colorScheme });
		await talk(page);
		await box(page).fill("/");
		await page.getByRole("listbox", { name: "Commands" }).waitFor();
		expect(await findings(page, "body", rules)).toEqual([]);
		await box(page).fill("!shell");
		await page.getByRole("button", { name: "Processes" }).click();
		await page.getByText("Nothing runs in the background").waitFor();
		expect(await findings(page, "body", rules)).toEqual([]);
		await page.getByRole("button", { name: "Terminal" }).click();
		await page.locator(".xterm-rows").getByText(/[#$]/).first().waitFor();
		expect(await findings(page, "body", rules)).toEqual([]);
	});

	test(`[PG88] axe finds nothing serious in the settings and the palette, ${colorScheme}`, async () => {
		const { page } = await ui.openPage("/", { colorScheme });
		await page.getByRole("button", { name: "Settings" }).click();
		for (const section of ["General", "Model", "Notifications", "Telegram", "Devices", "Security", "Activity", "About"]) {
			await page.getByRole("dialog").getByRole("button", { name: section, exact: true }).click();
			await page.getByRole("dialog").getByText("Loading…").waitFor({ state: "detached" });
			expect(await findings(page, "dialog", rules), section).toEqual([]);
		}
		await page.keyboard.press("Escape");
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: "Search and commands" }).waitFor();
		expect(await findings(page, "dialog", rules)).toEqual([]);
	});
}

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
		expect(await findings(page)).toEqual([]);
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
		expect(await findings(page)).toEqual([]);
		await page.getByRole("button", { name: english ? "Settings" : "設定" }).click();
		await page.getByRole("dialog", { name: english ? "Settings" : "設定" }).waitFor();
		expect(await sideways()).toBe(0);
		expect(problems).toEqual([]);
		await close();
	}
});

test("[PG90] a keyboard alone is enough: write, find the conversation again, choose the model, leave a dialog", async () => {
	const { page, close } = await ui.open();
	await box(page).waitFor();
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
