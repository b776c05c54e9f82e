import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { log, type PageHarness, say, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
const work = mkdtempSync(join(tmpdir(), "rightseat-undo-"));
const NOTES = "first\nsecond\nthird\n";
const read = () => readFileSync(join(work, "notes.txt"), "utf8");

beforeAll(async () => {
	writeFileSync(join(work, "notes.txt"), NOTES);
	ui = await startPage({ workdir: work });
});
afterAll(async () => {
	await ui.close();
	rmSync(work, { recursive: true, force: true });
});

/** Until the first copy of the folder is there, what a command does is named as not covered. */
async function untilRecorded(page: Page): Promise<void> {
	for (let round = 1; round <= 20; round++) {
		await say(page, "!echo x >> warm.txt");
		const told = log(page)
			.getByRole("article", { name: "Command" })
			.nth(round - 1);
		await told.getByText("Goes with your next message").waitFor();
		if ((await told.getByRole("button", { name: /^1 file/ }).count()) > 0) return;
	}
	throw new Error("Nothing was ever recorded.");
}

const panel = (page: Page) => page.getByRole("region", { name: "Changes" });

test("[PG540] what a command did is told on its card, looked at, undone after a preview, and brought back", async () => {
	const { page, problems } = await ui.openPage();
	await untilRecorded(page);
	await say(page, "!sed -i s/second/SECOND/ notes.txt && echo more >> notes.txt");
	const line = log(page).getByRole("button", { name: /1 file.*\+2.*−1/ });
	await line.click();
	const table = panel(page).getByRole("table", { name: "notes.txt" });
	await table.getByRole("rowheader", { name: "added 2" }).waitFor();
	await table.getByText("SECOND").first().waitFor();
	await panel(page).getByTitle("Changed by: you").waitFor();
	expect(await seriousFindings(page)).toEqual([]);
	await panel(page).getByRole("button", { name: "Undo…" }).click();
	const dialog = page.getByRole("dialog", { name: "Undo changes" });
	await dialog.getByText("as before").waitFor();
	expect(await seriousFindings(page, { part: "dialog" })).toEqual([]);
	expect(read()).toBe("first\nSECOND\nthird\nmore\n");
	await dialog.getByRole("button", { name: "Undo 1 file" }).click();
	await page.getByText("Undone: 1 file").waitFor();
	expect(read()).toBe(NOTES);
	await log(page)
		.getByRole("button", { name: /1 file.*undone/ })
		.waitFor();
	await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Redo" }).click();
	await page.getByText("Brought back: 1 file").waitFor();
	expect(read()).toBe("first\nSECOND\nthird\nmore\n");
	await log(page)
		.getByRole("button", { name: /undone/ })
		.waitFor({ state: "detached" });
	expect(problems).toEqual([]);
});

test("[PG541] one hunk is undone by itself with the keyboard, and what somebody wrote elsewhere in the file since stays", async () => {
	const many = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
	writeFileSync(join(work, "notes.txt"), many);
	const { page } = await ui.openPage();
	await untilRecorded(page);
	await say(page, "!sed -i -e 's/^line 3$/three/' -e 's/^line 33$/thirty-three/' notes.txt");
	await log(page)
		.getByRole("button", { name: /1 file.*\+2.*−2/ })
		.click();
	// Without its lines there is no hunk to walk to, and the key would mean the whole file.
	await panel(page).getByRole("table", { name: "notes.txt" }).getByText("thirty-three").first().waitFor();
	await panel(page).getByRole("button", { name: "notes.txt changed" }).focus();
	writeFileSync(join(work, "notes.txt"), `${read()}mine\n`);
	await page.keyboard.press("n");
	await page.keyboard.press("u");
	const dialog = page.getByRole("dialog", { name: "Undo changes" });
	await dialog.getByText("merged").waitFor();
	await dialog.getByRole("button", { name: "Undo 1 file" }).click();
	await page.getByText("Undone: 1 file").waitFor();
	expect(read()).toBe(`${many.replace("line 33\n", "thirty-three\n")}mine\n`);
});
