import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
});
afterAll(() => ui.close());

async function create(title: string): Promise<string> {
	const response = await ui.server().api("/api/conversations", { method: "POST", json: { title } });
	const body: unknown = await response.json();
	const id = /"id":"([\w-]+)"/.exec(JSON.stringify(body))?.[1];
	if (id === undefined) throw new Error(`No conversation: ${JSON.stringify(body)}`);
	return id;
}
const list = (page: Page) => page.getByRole("list", { name: "Conversations" });
const item = (page: Page, title: string) => list(page).getByRole("listitem").filter({ hasText: title });
async function act(page: Page, title: string, action: string): Promise<void> {
	await item(page, title).hover();
	await item(page, title).getByRole("button", { name: "More actions" }).click();
	await page.getByRole("menuitem", { name: action }).click();
}

test("[PG80] conversations are renamed, pinned and archived, and other pages see it", async () => {
	await create("Alpha");
	await create("Beta");
	const { page, close } = await ui.open();
	const other = await ui.open();
	await act(page, "Alpha", "Rename");
	await page.getByRole("textbox", { name: "Title" }).fill("Alpha renamed");
	await page.keyboard.press("Enter");
	await item(other.page, "Alpha renamed").waitFor();
	await act(page, "Alpha renamed", "Pin");
	await expect.poll(() => list(other.page).getByRole("link").first().textContent()).toContain("Alpha renamed");
	await act(page, "Beta", "Archive");
	await item(other.page, "Beta").waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Show archive" }).click();
	await act(page, "Beta", "Unarchive");
	await item(other.page, "Beta").waitFor();
	await other.close();
	await close();
});

test("[PG66] a deleted conversation can be brought back, and without that it is gone for good", async () => {
	const kept = await create("To keep");
	const gone = await create("To lose");
	const { page, close } = await ui.open(`/c/${kept}`);
	await act(page, "To keep", "Delete");
	await item(page, "To keep").waitFor({ state: "detached" });
	await page.getByRole("button", { name: "Undo" }).click();
	await item(page, "To keep").waitFor();
	await page.waitForURL(`**/c/${kept}`);
	await act(page, "To lose", "Delete");
	await item(page, "To lose").waitFor({ state: "detached" });
	await expect.poll(async () => (await ui.server().api(`/api/conversations/${gone}`)).status, { timeout: 20_000 }).toBe(404);
	expect((await ui.server().api(`/api/conversations/${kept}`)).status).toBe(200);
	await close();
});

test("[PG81] search finds what was said anywhere and opens it", async () => {
	const id = await create("Where it was said");
	const { page, close } = await ui.open(`/c/${id}`);
	await page.getByRole("textbox", { name: "Message" }).fill("!echo 尋找針 needle-in-hay");
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("尋找針").first().waitFor();
	// Its output is shown before it is stored, and only what is stored is found.
	await page.getByText("Goes with your next message").waitFor();
	await page.getByRole("button", { name: "New conversation", exact: true }).click();
	for (const query of ["needle", "找針"]) {
		await page.getByRole("searchbox", { name: "Search all messages" }).fill(query);
		await page.getByRole("list", { name: "Search results" }).getByRole("link").first().waitFor();
	}
	await page.getByRole("list", { name: "Search results" }).getByRole("link").first().click();
	await page.waitForURL(`**/c/${id}`);
	await close();
});

test("[PG84] a new conversation begins with the chosen directory, recent ones first", async () => {
	const { page, close } = await ui.open();
	await page.getByRole("button", { name: "Choose model and directory" }).click();
	const directory = page.getByRole("combobox", { name: "Directory" });
	await page.getByRole("dialog").getByRole("option", { name: ui.server().workdir }).waitFor();
	await directory.fill(ui.server().workdir);
	await page.getByRole("button", { name: "Start" }).click();
	await page.waitForURL(/\/c\//);
	await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
	await close();
});
