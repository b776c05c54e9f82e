import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { PHONE } from "../../support/browser.ts";
import { answers, log, type PageHarness, startPage } from "../../support/page-harness.ts";
import { createGate, text, waitFor } from "../../support/scripted-model-steps.ts";

let ui: PageHarness;
let id: string;
const RICH = `# Findings

The **tests** pass, and \`npm start\` works:

1. first
2. second

| file | lines |
|---|---|
| a.ts | 12 |

\`\`\`ts
const answer = 42 < 43;
\`\`\`

> quoted <b>words</b>

[A safe link](https://example.org/x) and [none](javascript:alert(1)).
`;

beforeAll(async () => {
	ui = await startPage();
	const response = await ui.server().api("/api/conversations", { method: "POST", json: { title: "Shared & read" } });
	id = (await response.json()).conversation.id;
	ui.model.reply(text(RICH));
	await ui.server().api(`/api/conversations/${id}/messages`, { method: "POST", json: { prompt: "Look at it" } });
});
afterAll(() => ui.close());

const openShare = async (page: Page) => {
	await page.getByRole("textbox", { name: "Message" }).fill("/share");
	await page.keyboard.press("Enter");
	return page.getByRole("dialog", { name: "Share this conversation" });
};

test("[PG926] a conversation is shared from its window: the file is looked at and saved, a link is made, watched by a guest, and ended", async () => {
	const { page, problems } = await ui.openPage(`/c/${id}`);
	await answers(page).getByText("A safe link").waitFor();
	const dialog = await openShare(page);
	expect(await seriousFindings(page, { part: "dialog[open]" })).toEqual([]);

	const [preview] = await Promise.all([page.context().waitForEvent("page"), dialog.getByRole("link", { name: "Look at it" }).click()]);
	await preview.getByRole("heading", { name: "Shared & read", level: 1 }).waitFor();
	await expectReadable(preview);
	await preview.close();

	const [file] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("link", { name: "Save" }).click()]);
	expect(file.suggestedFilename()).toBe("Shared  read.html");
	expect(await readFile(await file.path(), "utf8")).toContain('<h3 dir="auto">Findings</h3>');

	await dialog.getByRole("button", { name: "Make a link" }).click();
	const address = (await dialog.getByText(/\/watch\//).textContent()) ?? "";
	const guest = await ui.openStranger(address, PHONE);
	await expectReadable(guest.page);
	expect(await guest.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	expect(await guest.page.context().cookies()).toEqual([]);

	await dialog.getByRole("button", { name: "End", exact: true }).click();
	await dialog.getByRole("button", { name: "End", exact: true }).waitFor({ state: "detached" });
	expect((await guest.page.goto(address))?.status()).toBe(404);
	await guest.close();
	expect(problems).toEqual([]);
});

async function expectReadable(page: Page): Promise<void> {
	await page.getByRole("heading", { name: "Findings", level: 3 }).waitFor();
	await page.getByRole("cell", { name: "a.ts" }).waitFor();
	await page.getByRole("listitem").filter({ hasText: "second" }).waitFor();
	expect(await page.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
		"https://example.org/x",
	]);
	expect(await page.locator("time").count()).toBeGreaterThan(2);
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
			colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(23, 23, 26)",
		);
	}
}

test("[SR30] a guest who reads further up stays there when the page loads itself again, and the end of the answer comes by itself", async () => {
	const share = await ui.server().api(`/api/conversations/${id}/shares`, { method: "POST", json: { hours: 1 } });
	const { path } = await share.json();
	const gate = createGate();
	ui.model.reply(text(`${"A long line of words.\n\n".repeat(80)}`), waitFor(gate), text("The very end."));
	await ui.server().api(`/api/conversations/${id}/messages`, { method: "POST", json: { prompt: "Go on" } });
	const guest = await ui.openStranger(`${ui.server().url}${path}`, PHONE);
	const { page } = guest;
	await expect.poll(() => page.locator("[aria-busy] p").count()).toBeGreaterThan(10);
	await page.evaluate(() => scrollTo(0, 700));
	const place = () => page.evaluate(() => scrollY);
	await page.waitForEvent("load");
	await expect.poll(place).toBe(700);
	gate.open();
	await page.getByText("The very end.").waitFor();
	await expect.poll(place).toBe(700);
	await guest.close();
});

test("[PG927] [FK34] a fork from the window goes on in a new conversation, and the two know each other", async () => {
	const { page, problems } = await ui.openPage(`/c/${id}`);
	const answer = answers(page).first();
	await answer.hover();
	await answer.getByRole("button", { name: "Fork from here" }).click();
	const dialog = page.getByRole("dialog", { name: "Fork from here" });
	await dialog.getByRole("textbox", { name: "Prompt for the fork" }).fill("Another way");
	expect(await seriousFindings(page, { part: "dialog[open]" })).toEqual([]);
	ui.model.reply(text("Forked answer."));
	await dialog.getByRole("button", { name: "Fork", exact: true }).click();
	await log(page).getByText("Forked answer.").waitFor();
	// What came before was sent by a program; this was typed here.
	expect(await log(page).innerText()).toMatch(/via API[\s\S]*Another way(?![\s\S]*via API)/);
	expect(page.url()).not.toContain(id);
	const links = page.getByRole("navigation", { name: "Forks:" });
	await links.getByText("Forked from").waitFor();
	await links.getByRole("link", { name: "Shared & read" }).click();
	await expect.poll(() => page.url()).toContain(id);
	await links.getByText("Forks:").waitFor();
	expect(problems).toEqual([]);
});
