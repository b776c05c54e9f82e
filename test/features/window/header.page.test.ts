import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type PageHarness, PHONE, startPage } from "../../support/page-harness.ts";

let it: PageHarness;
let files: string;
beforeAll(async () => {
	files = mkdtempSync(join(tmpdir(), "rightseat-header-"));
	const programs = join(files, "bin");
	mkdirSync(programs);
	writeFileSync(join(programs, "claude-agent-acp"), "#!/bin/sh\nexit 1\n");
	chmodSync(join(programs, "claude-agent-acp"), 0o755);
	it = await startPage({ env: { PATH: `${programs}:${process.env.PATH ?? ""}` } });
});
afterAll(async () => {
	await it.close();
	rmSync(files, { recursive: true, force: true });
});
afterEach(() => it.proxy.resume());

const LONG = "a-name-that-is-far-too-long-for-the-screen-of-any-phone-that-people-carry";

/** The page of a conversation that Claude Code drives, in a folder with a repository. */
async function openAt({ folder, branch, width }: { folder: string; branch: string; width: number }) {
	const cwd = join(files, folder);
	mkdirSync(cwd, { recursive: true });
	execFileSync("git", ["init", "--quiet", `--initial-branch=${branch}`, cwd]);
	writeFileSync(join(cwd, "not-committed.txt"), "one line\n");
	const made = await it.server().api("/api/conversations", { method: "POST", json: { cwd, agent: "claude", title: "Rename the parser" } });
	const { conversation } = await made.json();
	const { page } = await it.openPage(`/c/${conversation.id}?lang=en`, { ...PHONE, viewport: { width, height: 800 } });
	await page.getByTitle(branch, { exact: true }).waitFor();
	await page.getByRole("button", { name: /1 uncommitted/ }).waitFor();
	await page.getByRole("button", { name: "Agent: Claude Code" }).waitFor();
	return { page, cwd };
}

/** How much of a text is in sight: all of it, or the pixels that are left. */
function seen(page: Page, title: string): Promise<{ whole: boolean; pixels: number }> {
	return page
		.getByTitle(title, { exact: true })
		.first()
		.evaluate((element) => ({ whole: element.scrollWidth <= element.clientWidth, pixels: element.clientWidth }));
}

async function lose(page: Page): Promise<void> {
	it.proxy.refuse();
	it.proxy.cut();
	await page.getByRole("button", { name: "Try now" }).waitFor({ timeout: 30_000 });
}

test("[PG470] on a phone folder and branch stand whole beside the agent, also while the page reconnects", async () => {
	const { page, cwd } = await openAt({ folder: "my-project", branch: "fix/parser", width: 390 });
	const all = { folder: { whole: true }, branch: { whole: true }, agent: { whole: true }, title: { whole: true } };
	const parts = async () => ({
		folder: await seen(page, cwd),
		branch: await seen(page, "fix/parser"),
		agent: { whole: await page.getByText("Claude Code").evaluate((element) => element.scrollWidth <= element.clientWidth) },
		title: await seen(page, "Rename the parser"),
	});
	expect(await parts()).toMatchObject(all);
	await lose(page);
	expect(await parts()).toMatchObject(all);
});

test("[PG471] of names that are too long the narrowest phone shows folder, branch and agent in part, and nothing runs out of it", async () => {
	const { page, cwd } = await openAt({ folder: LONG, branch: `fix/${LONG}`, width: 320 });
	await lose(page);
	expect((await seen(page, cwd)).pixels).toBeGreaterThan(50);
	expect((await seen(page, `fix/${LONG}`)).pixels).toBeGreaterThan(50);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("[PG472] on a phone Try now is a button to touch, with its words for who cannot see it", async () => {
	const { page } = await openAt({ folder: "touched", branch: "main", width: 390 });
	await lose(page);
	const button = page.getByRole("button", { name: "Try now" });
	expect(await button.boundingBox()).toMatchObject({ width: 36, height: 36 });
	await button.tap();
	it.proxy.resume();
	await page.getByRole("status").getByText("Connected").waitFor({ state: "attached" });
	await button.waitFor({ state: "detached" });
});

test("[PG499] at a desk, between the list and an open panel, title, folder and branch are readable and nothing lies over them", async () => {
	const { page, cwd } = await openAt({ folder: "between", branch: "fix/parser", width: 1040 });
	await page.getByRole("button", { name: /1 uncommitted/ }).click();
	await page.getByRole("region", { name: "Changes" }).waitFor();
	expect((await seen(page, cwd)).pixels).toBeGreaterThan(30);
	expect((await seen(page, "fix/parser")).pixels).toBeGreaterThan(40);
	expect((await seen(page, "Rename the parser")).pixels).toBeGreaterThan(60);
	const place = await page.getByTitle(cwd, { exact: true }).boundingBox();
	const search = await page.locator("header").getByRole("button", { name: "Search" }).boundingBox();
	expect((search?.y ?? 0) + (search?.height ?? 0)).toBeLessThanOrEqual((place?.y ?? 0) + 1);
});
