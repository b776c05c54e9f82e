import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { PHONE } from "../../support/browser.ts";
import { log, type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
const work = mkdtempSync(join(tmpdir(), "rightseat-review-"));
const git = (...given: string[]) => execFileSync("git", given, { cwd: work, encoding: "utf8" });
const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `const ${word}${index} = ${index};\n`).join("");

beforeAll(async () => {
	git("init", "-q", "-b", "main");
	git("config", "user.name", "A Person");
	git("config", "user.email", "person@example.com");
	mkdirSync(join(work, "src"));
	writeFileSync(join(work, "src/app.ts"), lines(60, "value"));
	writeFileSync(join(work, "README.md"), "# App\n\nHello world, this line was here.\n");
	git("add", "-A");
	git("commit", "-q", "-m", "begin");
	writeFileSync(join(work, "src/app.ts"), lines(60, "value").replace("value30 = 30", "value30 = 31"));
	writeFileSync(join(work, "README.md"), "# App\n\nHello there, this line is here.\n");
	writeFileSync(join(work, "src/new.ts"), "export const made = true;\n");
	ui = await startPage({ workdir: work });
});
afterAll(async () => {
	await ui.close();
	rmSync(work, { recursive: true, force: true });
});

async function open(options: object = {}) {
	const created: { conversation: { id: string } } = await (
		await ui.server().api("/api/conversations", { method: "POST", json: { title: "Review" } })
	).json();
	const opened = await ui.openPage(`/c/${created.conversation.id}`, options);
	await opened.page.getByRole("button", { name: /Working directory.*uncommitted/ }).click();
	await table(opened.page, "src/app.ts").waitFor();
	return opened;
}
const panel = (page: Page) => page.getByRole("region", { name: "Changes" });
const table = (page: Page, path: string) => panel(page).getByRole("table", { name: path });
const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const colorScheme of ["light", "dark"] as const)
	test(`[PG550] what is not committed stands in the panel, with words marked and nothing that keeps anyone out, ${colorScheme}`, async () => {
		const { page, problems } = await open({ colorScheme });
		await panel(page).getByText("3 files").first().waitFor();
		const readme = table(page, "README.md");
		await readme.scrollIntoViewIfNeeded();
		await readme.locator(".rv-added .rv-word").first().waitFor();
		expect(await readme.locator(".rv-added .rv-word").allTextContents()).toEqual(["there", "is"]);
		await readme.getByRole("rowheader", { name: "added 3" }).waitFor();
		expect(await seriousFindings(page, { theme: colorScheme })).toEqual([]);
		expect(problems).toEqual([]);
	});

test("[PG504] the keyboard alone reaches every line, and a file is one tab stop", async () => {
	const { page } = await open();
	await panel(page)
		.getByRole("treeitem", { name: /app\.ts/ })
		.focus();
	await page.keyboard.press("Enter");
	const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
	await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("src/app.ts changed");
	await page.keyboard.press("n");
	expect(await focused()).toContain("@@ −28,7 +28,7 @@");
	for (const key of ["j", "j", "j", "ArrowDown"]) await page.keyboard.press(key);
	expect(await focused()).toContain("value30 = 30");
	await page.keyboard.press("Tab");
	// Out of the file, to the next one.
	await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("src/new.ts new");
});

test("[PG507] side by side is chosen in the menu, and the width of the panel by its edge; both stay", async () => {
	const { page } = await open();
	await panel(page).getByRole("button", { name: "Options" }).click();
	await page.getByRole("menuitemradio", { name: "Side by side" }).click();
	await panel(page).locator(".rv-split").first().waitFor();
	const width = () => panel(page).evaluate((element) => Math.round(element.getBoundingClientRect().width));
	const before = await width();
	await panel(page).getByRole("separator", { name: "Width of the panel" }).focus();
	await page.keyboard.press("ArrowLeft");
	await expect.poll(width).toBe(before + 40);
	await page.reload();
	await page.getByRole("button", { name: /Working directory.*uncommitted/ }).click();
	await panel(page).locator(".rv-split").first().waitFor();
	expect(await width()).toBe(before + 40);
});

test("[PG533] a comment on a line goes to the agent with path, line and snippet, also after a reload", async () => {
	const { page } = await open();
	await table(page, "src/app.ts").getByRole("rowheader", { name: "added 31" }).click();
	await panel(page).getByRole("textbox", { name: "Comment on line 31 of src/app.ts" }).fill("Why thirty-one?");
	await page.keyboard.press("Control+Enter");
	await panel(page).getByText("1 comment").waitFor();
	await page.reload();
	await page.getByRole("button", { name: /Working directory.*uncommitted/ }).click();
	await table(page, "src/app.ts").getByText("Why thirty-one?").waitFor();
	await panel(page).getByRole("button", { name: "Send to the agent" }).click();
	await log(page).getByText("src/app.ts, line 31").waitFor();
	await log(page).getByText("const value30 = 31;").waitFor();
	await panel(page).getByText("1 comment").waitFor({ state: "detached" });
});

test("[PG552] chosen files are committed with the person's hooks, and what a hook refuses is readable", async () => {
	const hook = join(work, ".git/hooks/pre-commit");
	writeFileSync(hook, "#!/bin/sh\necho 'looking at the files'\nexit 1\n");
	chmodSync(hook, 0o755);
	const { page } = await open();
	await panel(page).getByRole("button", { name: "Commit…" }).click();
	const dialog = page.getByRole("dialog", { name: "Commit" });
	await dialog.getByRole("checkbox", { name: "Take README.md" }).uncheck();
	await dialog.getByRole("checkbox", { name: "Take src/app.ts" }).uncheck();
	await dialog.getByRole("textbox", { name: "Message" }).fill("feat: something new");
	expect(await seriousFindings(page, { part: "dialog", theme: "light" })).toEqual([]);
	await dialog.getByRole("button", { name: "Commit 1 file" }).click();
	await dialog.getByRole("log", { name: "What hooks and signing say" }).getByText("looking at the files").waitFor();
	await dialog.getByRole("alert").waitFor();
	writeFileSync(hook, "#!/bin/sh\nexit 0\n");
	await dialog.getByRole("button", { name: "Commit 1 file" }).click();
	await page.getByText(/Committed as [0-9a-f]{8}/).waitFor();
	expect(git("show", "--stat", "--format=%s", "HEAD")).toMatch(/feat: something new\s+src\/new\.ts/);
	await page.getByRole("button", { name: /Working directory.*2 uncommitted/ }).waitFor();
	expect(readFileSync(join(work, "README.md"), "utf8")).toContain("Hello there");
});

for (const locale of ["en-US", "zh-TW"])
	test(`[PG508] on a phone the panel is the whole screen with a way back, and nothing scrolls sideways (${locale})`, async () => {
		const created: { conversation: { id: string } } = await (
			await ui.server().api("/api/conversations", { method: "POST", json: { title: "Review" } })
		).json();
		const { page, problems } = await ui.openPage(`/c/${created.conversation.id}`, { ...PHONE, locale });
		await page.getByRole("button", { name: /uncommitted|未提交/ }).tap();
		const region = page.getByRole("region", { name: locale === "en-US" ? "Changes" : "變更", exact: true });
		await region.locator(".rv-table").first().waitFor();
		expect(await region.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
		expect(await sideways(page)).toBe(0);
		expect(await seriousFindings(page)).toEqual([]);
		await region.getByRole("button", { name: locale === "en-US" ? "Back to the conversation" : "回到對話" }).tap();
		await region.waitFor({ state: "detached" });
		expect(problems).toEqual([]);
	});
