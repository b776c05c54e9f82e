import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { log, type PageHarness, say, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
const work = mkdtempSync(join(tmpdir(), "rightseat-several-"));
const read = (name: string) => (existsSync(join(work, name)) ? readFileSync(join(work, name), "utf8") : undefined);

beforeAll(async () => {
	writeFileSync(join(work, "notes.txt"), "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
	ui = await startPage({ workdir: work });
});
afterAll(async () => {
	await ui.close();
	rmSync(work, { recursive: true, force: true });
});

const panel = (page: Page) => page.getByRole("region", { name: "Changes" });
const commands = (page: Page) => log(page).getByRole("article", { name: "Command" });

/** Runs a command until its card says what it changed: before the first copy of the folder nothing is recorded. */
async function run(page: Page, command: string): Promise<void> {
	const before = await commands(page).count();
	await say(page, `!${command}`);
	await commands(page).nth(before).getByText("Goes with your next message").waitFor();
}
async function begin(): Promise<Page> {
	const { page } = await ui.openPage();
	for (let tries = 0; tries < 20; tries += 1) {
		await run(page, `echo ${tries} > warm.txt`);
		if (
			(await commands(page)
				.last()
				.getByRole("button", { name: /^1 file/ })
				.count()) > 0
		)
			return page;
	}
	throw new Error("Nothing was ever recorded.");
}

test("[PG542] several turns are chosen, previewed together and undone; what was edited since stays and says so", async () => {
	const page = await begin();
	await run(page, "sed -i s/one/ONE/ notes.txt");
	await run(page, "echo made > made.txt; echo kept > kept.txt");
	await run(page, "sed -i s/seven/SEVEN/ notes.txt");
	writeFileSync(join(work, "kept.txt"), "kept\nand edited\n");
	await commands(page)
		.last()
		.getByRole("button", { name: /^1 file/ })
		.click();
	await panel(page).getByRole("button", { name: "Options" }).click();
	await page.getByRole("menuitem", { name: "Undo several turns…" }).click();
	const several = page.getByRole("dialog", { name: "Undo several turns" });
	for (const name of [/s\/one\/ONE\//, /echo made/]) await several.getByRole("checkbox", { name }).check();
	expect(await seriousFindings(page, { part: "dialog" })).toEqual([]);
	await several.getByRole("button", { name: "Next" }).click();
	const preview = page.getByRole("dialog", { name: "Undo changes" });
	const rowOf = (name: string) => preview.getByRole("listitem").filter({ hasText: name });
	await rowOf("notes.txt").getByText("merged").waitFor();
	await rowOf("made.txt").getByText("as before").waitFor();
	await rowOf("kept.txt").getByText("was made by this change and edited since: kept").waitFor();
	expect([read("made.txt"), read("notes.txt")?.startsWith("ONE")]).toEqual(["made\n", true]);
	await preview.getByRole("button", { name: "Undo 2 files" }).click();
	await page.getByText("Undone: 2 files · 1 left alone").waitFor();
	expect([read("made.txt"), read("kept.txt"), read("notes.txt")]).toEqual([
		undefined,
		"kept\nand edited\n",
		"one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n",
	]);
}, 180_000);

const MANY = 1_000;

test("[PG543] an undo that the end of the server cut is told after the restart, and both ways settle it", async () => {
	const page = await begin();
	const left = () => (existsSync(join(work, "many")) ? readdirSync(join(work, "many")).length : 0);
	await run(page, `mkdir many; for n in $(seq ${MANY}); do echo $n > many/$n.txt; done`);
	await commands(page)
		.last()
		.getByRole("button", { name: /1,?000 files/ })
		.click();
	for (const [button, wanted, said] of [
		["Take back", MANY, /^Brought back: /],
		["Continue", 0, /^Undone: 1,?000 files/],
	] as const) {
		await cutUndo(page, left);
		await panel(page).getByText("An undo was cut off before it was finished").waitFor();
		expect(left()).toBeGreaterThan(0);
		expect(left()).toBeLessThan(MANY);
		// The notice only: with the thousand rows beside it axe takes ten seconds, and those are examined in other tests.
		expect(await seriousFindings(page, { part: ".rv-note-box" })).toEqual([]);
		await panel(page).getByRole("button", { name: button, exact: true }).click();
		await page.getByText(said).waitFor();
		await panel(page).getByText("An undo was cut off before it was finished").waitFor({ state: "detached" });
		expect(left()).toBe(wanted);
	}
}, 180_000);

/** Presses Undo and kills the server while files are being taken back; again when it was too quick. */
async function cutUndo(page: Page, left: () => number): Promise<void> {
	for (let tries = 0; tries < 10; tries += 1) {
		await panel(page).getByRole("button", { name: "Undo…" }).click();
		await page.getByRole("button", { name: /^Undo 1,?000 files/ }).click();
		while (left() === MANY) await new Promise((resolve) => setImmediate(resolve));
		await ui.restart();
		if (left() > 0) return;
		await panel(page).getByRole("button", { name: "Redo…" }).click();
		await page.getByRole("button", { name: /^Bring back 1,?000 files/ }).click();
		await expect.poll(left, { timeout: 60_000 }).toBe(MANY);
	}
	throw new Error("The undo was never cut.");
}
