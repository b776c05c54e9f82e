import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PHONE } from "../../support/browser.ts";
import { type PageHarness, startPage, untilKeysAreHeard } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
});
afterAll(() => ui.close());

const screen = (page: Page) => page.locator(".xterm-rows");

test("[PG71] the terminal is a real one and keeps what it showed over a reload", async () => {
	const { page, problems, close } = await ui.open();
	await page.getByRole("button", { name: "Terminal" }).click();
	await screen(page).getByText(/[#$]/).first().waitFor();
	await page.keyboard.type("echo made-$((6*7)); export KEPT=still-here\n");
	await screen(page).getByText("made-42").first().waitFor();
	await page.reload();
	await page.getByRole("button", { name: "Terminal" }).click();
	await screen(page).getByText("made-42").first().waitFor();
	await page.getByRole("region", { name: "Terminal" }).locator("textarea").focus();
	await page.keyboard.type("echo $KEPT\n");
	await screen(page).getByText("still-here", { exact: true }).first().waitFor();
	await page.getByRole("button", { name: "End this terminal" }).click();
	await page.getByRole("button", { name: "Start again" }).click();
	await screen(page).getByText(/[#$]/).first().waitFor();
	await expect.poll(() => screen(page).getByText("made-42").count()).toBe(0);
	expect(problems).toEqual([]);
	await close();
});

test("[PG64] on a phone the key bar types what the keyboard cannot", async () => {
	const { page, close } = await ui.open("/", PHONE);
	await page.getByRole("button", { name: "Terminal" }).click();
	await screen(page).getByText(/[#$]/).first().waitFor();
	// The usual prompt names the folder: where that is a long one, the line of the phone would be broken in the command.
	await page.keyboard.type("PS1='$ '\n");
	await page.keyboard.type("sleep 600\n");
	await screen(page).getByText("sleep 600").first().waitFor();
	const bar = page.getByRole("toolbar", { name: "Keys" });
	await bar.getByRole("button", { name: "Ctrl", exact: true }).tap();
	await page.keyboard.type("c");
	// The key is for the next prompt: before it the terminal would only show it.
	await expect.poll(() => screen(page).innerText()).toMatch(/\^C[\s\S]*[#$]/);
	await bar.getByRole("button", { name: "↑" }).tap();
	await screen(page)
		.getByText(/sleep 600$/)
		.nth(1)
		.waitFor();
	await close();
});

test("[PG65] the palette opens by keyboard, finds a command by a few letters and runs it", async () => {
	const { page, close } = await ui.open();
	await untilKeysAreHeard(page);
	await page.keyboard.press("Control+k");
	await page.getByRole("combobox", { name: "Search and commands" }).fill("keybo");
	await page.keyboard.press("Enter");
	await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "detached" });
	await untilKeysAreHeard(page);
	await page.keyboard.press("Control+,");
	await page.getByRole("dialog", { name: "Settings" }).waitFor();
	await page.keyboard.press("Escape");
	await close();
});

test("[PG85] theme and language change at once and stay", async () => {
	const { page, close } = await ui.open("/", { colorScheme: "light" });
	await page.getByRole("button", { name: "Settings" }).click();
	await page.getByRole("radio", { name: "Dark" }).check();
	await page.getByRole("radio", { name: "繁體中文" }).check();
	await page.getByRole("dialog", { name: "設定" }).waitFor();
	await page.reload();
	await page.getByRole("textbox", { name: "訊息" }).waitFor();
	expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
	await close();
});

for (const locale of ["en-US", "zh-TW"])
	test(`[PG355] on a phone every section of the settings is in sight, and nothing in it is cut (${locale})`, async () => {
		const { page, close } = await ui.open("/", { ...PHONE, locale });
		await untilKeysAreHeard(page);
		await page.keyboard.press("Control+,");
		const sections = page.locator("dialog[open] nav button");
		await expect.poll(() => sections.count()).toBe(10);
		for (const section of await sections.all()) {
			await section.click();
			await page.locator('dialog[open] nav button[aria-current="true"]').waitFor();
			await expect.poll(() => page.locator("dialog[open] h3").textContent()).toBe(await section.textContent());
			// What is still on its way would be looked at too early.
			await expect
				.poll(() =>
					page
						.locator("dialog[open]")
						.getByText(/Loading…|載入中…/)
						.count(),
				)
				.toBe(0);
			expect(await page.evaluate(cutTexts), (await section.textContent()) ?? "").toEqual([]);
		}
		await close();
	});

/** Texts of the open window that end in dots or leave it, and sections of its list that are outside of it. */
function cutTexts(): string[] {
	const dialog = document.querySelector("dialog[open]");
	const box = dialog?.getBoundingClientRect();
	if (dialog === null || box === undefined) return ["There is no window."];
	const elements = [...dialog.querySelectorAll<HTMLElement>("button, span, p, code, label, time, h3 + div *")];
	return elements.flatMap((element) => {
		const { left, right, width } = element.getBoundingClientRect();
		const clipped = element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === "ellipsis";
		const outside = width > 1 && (left < box.left - 1 || right > box.right + 1);
		return clipped || outside ? [element.textContent ?? ""] : [];
	});
}
