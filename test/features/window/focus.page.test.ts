import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PHONE } from "../../support/browser.ts";
import { type PageHarness, startPage, untilKeysAreHeard } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
	for (const title of ["Alpha", "Beta", "Gamma"]) await ui.server().api("/api/conversations", { method: "POST", json: { title } });
});
afterAll(() => ui.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** The name of what has the focus, and what it is about. */
const focused = (page: Page) =>
	page.evaluate(() => {
		const element = document.activeElement;
		const about = document.getElementById(element?.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
		return `${element?.getAttribute("aria-label") ?? element?.textContent ?? ""} ${about}`.trim();
	});

test("[PG120] whoever opens the palette types at once, the same keys close it, and other shortcuts rest meanwhile", async () => {
	const { page, close } = await ui.open();
	await untilKeysAreHeard(page);
	await box(page).focus();
	await page.keyboard.press("Control+k");
	const palette = page.getByRole("combobox", { name: "Search and commands" });
	await palette.waitFor();
	await page.keyboard.type("Gamm");
	expect(await palette.inputValue()).toBe("Gamm");
	await page.keyboard.press("Control+j");
	await page.keyboard.press("Control+k");
	await palette.waitFor({ state: "detached" });
	await expect.poll(() => focused(page)).toBe("Message");
	expect(await page.getByRole("region", { name: "Terminal" }).count()).toBe(0);
	await page.keyboard.press("Control+k");
	await palette.waitFor();
	await page.keyboard.type("Gamm");
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { level: 1, name: "Gamma" }).waitFor();
	await close();
});

test("[PG334] queued prompts are moved, changed and dropped by keyboard without losing the place; a dropped one is gone", async () => {
	const { page, close } = await ui.open();
	await box(page).fill("tell me a long story");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
	for (const text of ["first", "second", "third"]) {
		await box(page).fill(text);
		await page.keyboard.press("Enter");
	}
	const rows = page.getByRole("region", { name: "Queued prompts" }).getByRole("listitem");
	await rows.nth(2).waitFor();
	const press = async (row: number, name: string) => {
		await rows.nth(row).getByRole("button", { name, exact: true }).focus();
		await page.keyboard.press("Enter");
	};
	await press(1, "Move up");
	await expect.poll(() => rows.first().textContent()).toBe("second");
	expect(await focused(page)).toBe("Move up second");
	await press(0, "Edit");
	await page.keyboard.type(" thoughts");
	await page.keyboard.press("Enter");
	await expect.poll(() => rows.first().textContent()).toBe("second thoughts");
	expect(await focused(page)).toBe("Edit second thoughts");
	for (const [row, next] of [
		[2, "Drop first"],
		[1, "Drop second thoughts"],
		[0, "Message"],
	] as const) {
		await press(row, "Drop");
		await expect.poll(() => rows.count()).toBe(row);
		expect(await focused(page)).toBe(next);
	}
	const log = page.getByRole("log", { name: "Conversation" });
	expect(await log.getByText(/^(first|second thoughts|third)$/).count(), "[PG123]").toBe(0);
	await page.getByRole("button", { name: "Stop", exact: true }).click();
	await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
	await close();
});

test("[PG335] after renaming and deleting a conversation the focus stands in the list, and undo is there", async () => {
	const { page, close } = await ui.open();
	const list = page.getByRole("list", { name: "Conversations" });
	const actions = (title: string) => list.getByRole("listitem").filter({ hasText: title }).getByRole("button", { name: "More actions" });
	await actions("Beta").focus();
	await page.keyboard.press("Enter");
	await page.getByRole("menuitem", { name: "Rename" }).press("Enter");
	await page.getByRole("textbox", { name: "Title" }).waitFor();
	await page.keyboard.type("Delta");
	await page.keyboard.press("Enter");
	await list.getByRole("link", { name: "Delta" }).waitFor();
	expect(await focused(page)).toBe("Delta");
	await actions("Delta").focus();
	await page.keyboard.press("Enter");
	await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
	await list.getByRole("link", { name: "Delta" }).waitFor({ state: "detached" });
	await expect.poll(() => focused(page)).toMatch(/^(Alpha|Gamma)$/);
	await page.getByRole("button", { name: "Undo" }).press("Enter");
	await list.getByRole("link", { name: "Delta" }).waitFor();
	await close();
});

test("[PG336] a closed panel or list gives the focus back, and what they cover on a phone cannot be reached", async () => {
	const desk = await ui.open();
	await desk.page.getByRole("button", { name: "Processes" }).press("Enter");
	await desk.page.getByRole("button", { name: "Close panel" }).press("Enter");
	await expect.poll(() => focused(desk.page)).toBe("Processes");
	await desk.close();

	const { page, close } = await ui.open("/", PHONE);
	await page.getByRole("button", { name: "Open conversation list" }).press("Enter");
	await page.getByRole("list", { name: "Conversations" }).getByRole("link").first().waitFor();
	expect(await box(page).evaluate((element) => element.closest("[inert]") !== null)).toBe(true);
	await page.keyboard.press("Tab");
	expect(await focused(page)).toBe("Settings");
	await page.keyboard.press("Escape");
	await expect.poll(() => focused(page)).toBe("Open conversation list");
	await page.getByRole("button", { name: "Processes" }).press("Enter");
	await page.getByText("Nothing runs in the background").waitFor();
	await page.keyboard.press("Tab");
	expect(await focused(page)).toBe("Close panel");
	await page.keyboard.press("Enter");
	await expect.poll(() => focused(page)).toBe("Processes");
	await close();
});

test("[PG122] a message about something in the settings stands above them and can be closed there", async () => {
	const { page, close } = await ui.open();
	await page.getByRole("button", { name: "Settings" }).click();
	const dialog = page.getByRole("dialog", { name: "Settings" });
	await dialog.getByRole("button", { name: "Model", exact: true }).click();
	const model = dialog.getByRole("radio", { name: /^Demo pilot/ });
	await model.waitFor();
	await page.context().setOffline(true);
	await model.click();
	await dialog.getByText("The server cannot be reached").waitFor();
	await dialog.getByRole("button", { name: "Dismiss" }).click();
	await dialog.getByText("The server cannot be reached").waitFor({ state: "detached" });
	await close();
});
