import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, PHONE, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
const work = mkdtempSync(join(tmpdir(), "rightseat-back-"));
beforeAll(async () => {
	writeFileSync(join(work, "notes.txt"), "words\n");
	ui = await startPage({ workdir: work });
});
afterAll(async () => {
	await ui.close();
	rmSync(work, { recursive: true, force: true });
});

const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** A conversation that was reached from the beginning of the page, so that there is somewhere to go back to. */
async function open(options = PHONE) {
	const created: { conversation: { id: string } } = await (
		await ui.server().api("/api/conversations", { method: "POST", json: { title: "Back" } })
	).json();
	const opened = await ui.openPage("/", options);
	const path = `/c/${created.conversation.id}`;
	await opened.page.evaluate((to) => history.pushState(null, "", to), path);
	await opened.page.getByRole("button", { name: /Working directory/ }).waitFor();
	return { ...opened, path };
}
async function slash(page: Page, command: string): Promise<void> {
	await page.getByRole("textbox", { name: "Message" }).fill(`/${command}`);
	await page.keyboard.press("Enter");
}

test("[PG740] Back closes the panel of changes and stays in the conversation, Forward opens it, and a button leaves no entry behind", async () => {
	const { page, path, problems } = await open();
	const changes = panel(page, "Changes");
	await page.getByRole("button", { name: /Working directory/ }).tap();
	await changes.waitFor();
	await page.goBack();
	await changes.waitFor({ state: "detached" });
	expect(pathOf(page)).toBe(path);
	await page.goForward();
	await changes.waitFor();
	await changes.getByRole("button", { name: "Back to the conversation" }).tap();
	await changes.waitFor({ state: "detached" });
	await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
	await page.goBack();
	expect(pathOf(page)).toBe("/");
	expect(problems).toEqual([]);
});

test("[PG740] in the panel of files Back goes from the file to its folder and from there to the conversation", async () => {
	const { page, path } = await open();
	const files = panel(page, "Files");
	await slash(page, "files");
	await files.getByRole("button", { name: /notes\.txt/ }).tap();
	await files.getByText("words").waitFor();
	await page.goBack();
	await files.getByRole("button", { name: /notes\.txt/ }).tap();
	await files.getByText("words").waitFor();
	await files.getByRole("button", { name: "Back to the folder" }).tap();
	await files.getByRole("list", { name: "Files" }).waitFor();
	await expect.poll(() => page.evaluate(() => history.state?.over?.depth)).toBe(1);
	await page.goBack();
	await files.waitFor({ state: "detached" });
	expect(pathOf(page)).toBe(path);
	await slash(page, "files notes.txt");
	await files.getByText("words").waitFor();
	await page.getByRole("button", { name: "Close panel" }).tap();
	await files.waitFor({ state: "detached" });
	await expect.poll(() => page.evaluate(() => history.state)).toBe(null);
	await page.goBack();
	expect(pathOf(page)).toBe("/");
});

test("[PG740] a page that is loaded again shows what it showed, and Back still closes it", async () => {
	const { page, path } = await open();
	await page.getByRole("button", { name: /Working directory/ }).tap();
	await panel(page, "Changes").waitFor();
	await page.reload();
	await panel(page, "Changes").waitFor();
	await page.goBack();
	await panel(page, "Changes").waitFor({ state: "detached" });
	expect(pathOf(page)).toBe(path);
});

test("[PG740] on a desk nothing is covered, so Back leaves the conversation and the panel stays", async () => {
	const { page } = await open({ viewport: { width: 1280, height: 800 } });
	await page.getByRole("button", { name: /Working directory/ }).click();
	await panel(page, "Changes").waitFor();
	expect(await page.evaluate(() => history.state)).toBe(null);
	await page.goBack();
	expect(pathOf(page)).toBe("/");
	await panel(page, "Changes").waitFor();
});
