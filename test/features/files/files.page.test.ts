import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { PHONE } from "../../support/browser.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";
import { text } from "../../support/scripted-model-steps.ts";

let ui: PageHarness;
const work = mkdtempSync(join(tmpdir(), "rightseat-files-"));
/** One red dot. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

beforeAll(async () => {
	mkdirSync(join(work, "src"));
	writeFileSync(join(work, "src/app.ts"), "export const value = 1;\n");
	writeFileSync(join(work, "README.md"), "# The app\n\nSome *words*.\n");
	writeFileSync(join(work, "dot.png"), Buffer.from(PICTURE, "base64"));
	writeFileSync(join(work, "data.bin"), Buffer.from([1, 0, 2]));
	ui = await startPage({ workdir: work });
});
afterAll(async () => {
	await ui.close();
	rmSync(work, { recursive: true, force: true });
});

async function open(options: object = {}) {
	const created: { conversation: { id: string } } = await (
		await ui.server().api("/api/conversations", { method: "POST", json: { title: "Files" } })
	).json();
	const opened = await ui.openPage(`/c/${created.conversation.id}`, options);
	await opened.page.getByRole("textbox", { name: "Message" }).fill("/files");
	await opened.page.keyboard.press("Enter");
	await panel(opened.page).getByRole("list", { name: "Files" }).waitFor();
	return { ...opened, id: created.conversation.id };
}
const panel = (page: Page) => page.getByRole("region", { name: "Files", exact: true });
const entry = (page: Page, name: string) => panel(page).getByRole("listitem").filter({ hasText: name }).getByRole("button");

test("[PG700] folders are entered and left, and files found by letters of their path", async () => {
	const { page, problems } = await open();
	await entry(page, "src/").click();
	await entry(page, "app.ts").waitFor();
	await entry(page, "One folder up").click();
	await entry(page, "README.md").waitFor();
	await panel(page).getByRole("searchbox", { name: "Find a file" }).fill("apts");
	await entry(page, "src/app.ts").click();
	await panel(page).getByText("export const value = 1;").waitFor();
	expect(await seriousFindings(page)).toEqual([]);
	expect(problems).toEqual([]);
});

test("[PG701] code, a document, a picture and a file that is not text are shown as what they are", async () => {
	const { page } = await open();
	await entry(page, "README.md").click();
	await panel(page).getByRole("heading", { name: "The app" }).waitFor();
	await panel(page).getByRole("button", { name: "Show the source" }).click();
	await panel(page).getByText("Some *words*.").waitFor();
	expect(await panel(page).getByRole("link", { name: "Download" }).getAttribute("href")).toContain("README.md");
	await panel(page).getByRole("button", { name: "Back to the folder" }).click();
	await entry(page, "dot.png").click();
	await expect
		.poll(() =>
			panel(page)
				.getByRole("img")
				.evaluate((image: HTMLImageElement) => image.naturalWidth),
		)
		.toBe(1);
	await panel(page).getByRole("button", { name: "Back to the folder" }).click();
	await entry(page, "data.bin").click();
	await panel(page).getByText("This file is not text").waitFor();
});

test("[PG748] a path with a line opens the file with that line in sight and marked", async () => {
	writeFileSync(
		join(work, "src/long.ts"),
		Array.from({ length: 400 }, (_, index) => `export const value${index + 1} = ${index + 1};\n`).join(""),
	);
	for (const options of [{}, PHONE]) {
		const { page } = await open(options);
		await page.getByRole("button", { name: "Close panel" }).click();
		await page.getByRole("textbox", { name: "Message" }).fill("/files src/long.ts:250");
		await page.keyboard.press("Enter");
		const mark = panel(page).locator("[data-line='250']");
		await mark.waitFor();
		const marked = await mark.evaluate((element) => {
			const { left, top, height } = element.getBoundingClientRect();
			const range = document.caretRangeFromPoint(left + 30, top + height / 2);
			const before = document.createRange();
			before.setStart(element.parentElement?.querySelector("code") ?? element, 0);
			before.setEnd(range?.startContainer ?? element, range?.startOffset ?? 0);
			return { line: before.toString().split("\n").length, inSight: top > 0 && top + height < innerHeight };
		});
		expect(marked).toEqual({ line: 250, inSight: true });
		await panel(page).getByText(":250", { exact: true }).waitFor();
	}
});

test("[PG702] a path in a message opens its file, on a phone too; [PG703] one that is not there says so", async () => {
	const { page, id, problems } = await open({ ...PHONE });
	await page.getByRole("button", { name: "Close panel" }).click();
	ui.model.reply(text("Look at `src/app.ts:1` and `src/none.ts`, not at `console.log`."));
	await ui.server().api(`/api/conversations/${id}/messages`, { method: "POST", json: { prompt: "Where is it?" } });
	await page.getByRole("button", { name: "src/app.ts:1" }).first().click();
	await panel(page).getByText("export const value = 1;").waitFor();
	expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
	await page.getByRole("button", { name: "Close panel" }).click();
	await page.getByRole("button", { name: "src/none.ts" }).first().click();
	await panel(page).getByText("src/none.ts is not there").waitFor();
	await panel(page).getByRole("button", { name: "Back to the folder" }).click();
	await entry(page, "README.md").waitFor();
	expect(problems.filter((problem) => !problem.includes("404"))).toEqual([]);
});

test("[PG1003] in a real browser: a line leads to what a folder would run, trust is given and taken back by keyboard, and the next prompt follows", async () => {
	const shop = mkdtempSync(join(tmpdir(), "rightseat-shop-"));
	onTestFinished(() => rmSync(shop, { recursive: true, force: true }));
	mkdirSync(join(shop, ".github/hooks"), { recursive: true });
	const bash = `echo ran >> ${join(shop, "ran")}`;
	writeFileSync(
		join(shop, ".github/hooks/greet.json"),
		JSON.stringify({ version: 1, hooks: { sessionStart: [{ type: "command", bash }] } }),
	);
	const program = new URL("../../support/mcp-server/stdio.mjs", import.meta.url).pathname;
	writeFileSync(
		join(shop, ".mcp.json"),
		JSON.stringify({ mcpServers: { tickets: { command: process.execPath, args: [program, "plain", "two words"] } } }),
	);
	const { conversation } = await (
		await ui.server().api("/api/conversations", { method: "POST", json: { title: "Shop", cwd: shop } })
	).json();
	const { page, problems } = await ui.openPage(`/c/${conversation.id}`);
	const ask = async (prompt: string) => {
		ui.model.reply(text(`Answer to ${prompt}`));
		await page.getByRole("textbox", { name: "Message" }).fill(prompt);
		await page.keyboard.press("Enter");
		await page.getByText(`Answer to ${prompt}`, { exact: true }).waitFor();
	};
	await page.getByRole("note").getByText("This folder brings 2 things that would run.").waitFor();
	await ask("one");
	expect(existsSync(join(shop, "ran"))).toBe(false);
	await page.getByRole("button", { name: "Look" }).press("Enter");
	const setup = page.getByRole("region", { name: "Set-up", exact: true });
	await setup.getByText(bash).waitFor();
	await setup.getByText("plain 'two words'").waitFor();
	expect(await seriousFindings(page)).toEqual([]);
	await setup.getByRole("button", { name: "Trust this folder" }).press("Enter");
	await setup.getByText("This folder is trusted from the next prompt on.").waitFor();
	await ask("two");
	expect(existsSync(join(shop, "ran"))).toBe(true);
	const server = setup.getByRole("region", { name: "MCP servers" }).getByRole("listitem");
	await server.getByText("connected").waitFor();
	await server.getByText("2 tools").waitFor();
	expect(await seriousFindings(page)).toEqual([]);
	await setup.getByRole("button", { name: "Take trust back" }).press("Enter");
	await server.getByText("Off until this folder is trusted.").waitFor();
	rmSync(join(shop, "ran"));
	await ask("three");
	expect(existsSync(join(shop, "ran"))).toBe(false);
	expect(problems).toEqual([]);
});
