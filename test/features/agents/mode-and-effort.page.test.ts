import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { answers, type PageHarness, say, startPage } from "../../support/page-harness.ts";
import { beginTalk } from "./talk.ts";

let bed: PageHarness;
let sessions: string;
let id: string;
beforeAll(async () => {
	sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	const agents = [{ id: "scripted", name: "Scripted agent", command: acpAgentCommand(`home=${sessions}`) }];
	bed = await startPage({ env: { RIGHTSEAT_AGENTS: JSON.stringify(agents), RIGHTSEAT_DEFAULT_AGENT: "scripted" } });
	const talk = await beginTalk(bed.server(), { agent: "scripted", permissions: "auto" });
	id = talk.id;
	await talk.send("say Hello.").ended;
	// Its large model can think harder.
	await bed.server().api(`/api/conversations/${id}`, { method: "PATCH", json: { model: "large" } });
	await talk.close();
	// What is offered from here on is remembered.
	await bed.restart();
});
afterAll(async () => {
	await bed.close();
	rmSync(sessions, { recursive: true, force: true });
});

async function choose(page: Page, within: Page | Locator, label: string, option: string): Promise<void> {
	await within.getByRole("combobox", { name: label, exact: true }).click();
	await page.getByRole("option", { name: option, exact: true }).click();
}

const TEXTS = [
	{ lang: "en", list: "Open conversation list", form: "Choose model and directory", mode: "Mode", effort: "Effort", start: "Start" },
	{ lang: "zh-TW", list: "開啟對話列表", form: "選擇模型與目錄", mode: "模式", effort: "思考強度", start: "開始" },
] as const;

/** Whether all of it is in the window and none of its words is cut. */
const isWhole = (box: Locator) =>
	box.evaluate((element) => {
		const { left, right, top, bottom } = element.getBoundingClientRect();
		const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
		return isInside && [...element.querySelectorAll("span")].every((words) => words.scrollWidth <= words.clientWidth);
	});

/** How many rows the pickers take beside a model with a name that is longer than the phone is wide, and whether the others are as wide as they were. */
const besideLongName = (page: Page) =>
	page.locator(".pickers").evaluate((pickers) => {
		const others = () =>
			[...pickers.querySelectorAll(":scope > :not(:first-child) span")].map((words) => words.getBoundingClientRect().width);
		const before = others();
		const name = pickers.querySelector("span");
		if (name !== null) name.textContent = "A model with a name that is longer than the phone is wide";
		const all = [...pickers.querySelectorAll("[role=combobox]")].map((each) => each.getBoundingClientRect());
		if (all.some(({ right }) => right > innerWidth)) throw new Error("One of them is out of the window.");
		return { rows: new Set(all.map(({ top }) => top)).size, before, after: others() };
	});

test.each(TEXTS.flatMap((words) => (["light", "dark"] as const).map((theme) => ({ ...words, theme }))))(
	"[PG722] on a narrow phone the pickers below the message are whole, and the form can be scrolled to its end ($lang, $theme)",
	async ({ theme, ...words }) => {
		const phone = { viewport: { width: 375, height: 600 }, hasTouch: true, isMobile: true, colorScheme: theme };
		const open = await bed.openPage(`/c/${id}?lang=${words.lang}`, phone);
		for (const name of [words.mode, words.effort]) {
			const box = open.page.getByRole("combobox", { name, exact: true });
			await box.waitFor();
			await expect.poll(() => isWhole(box)).toBe(true);
		}
		const { rows, before, after } = await besideLongName(open.page);
		expect(rows).toBe(1);
		// Half a pixel less is enough for an ellipsis in the place of two characters.
		expect(after).toEqual(before);
		const { page } = await bed.openPage(`/?lang=${words.lang}`, phone);
		await page.getByRole("combobox", { name: words.effort, exact: true }).waitFor();
		for (const box of await page.getByRole("combobox").all()) await expect.poll(() => isWhole(box)).toBe(true);
		await page.getByRole("button", { name: words.list }).click();
		await page.getByRole("button", { name: words.form }).click();
		const form = page.getByRole("dialog");
		const mode = form.getByRole("combobox", { name: words.mode, exact: true });
		await mode.click();
		await page.getByRole("listbox", { name: words.mode, exact: true }).getByRole("option").last().click();
		await form.getByRole("button", { name: words.start, exact: true }).scrollIntoViewIfNeeded();
		const outer = await form.boundingBox();
		for (const inner of [await mode.boundingBox(), await form.getByRole("button", { name: words.start, exact: true }).boundingBox()]) {
			if (outer === null || inner === null) throw new Error("It is not shown.");
			expect(inner.x).toBeGreaterThanOrEqual(outer.x);
			expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
			expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
		}
	},
);

test("[PG720] the mode is chosen before the first prompt, though the agent was not open since the server was started", async () => {
	const { page } = await bed.openPage("/?lang=en");
	await choose(page, page, "Mode", "Plan");
	await say(page, "options");
	await answers(page).getByText('"mode":"plan"').waitFor();
	await expect.poll(() => page.getByRole("combobox", { name: "Mode", exact: true }).innerText()).toBe("Plan");
});

test("[PG720] the form of a new conversation begins it in the mode that was chosen there", async () => {
	const { page } = await bed.openPage("/?lang=en");
	await page.getByRole("button", { name: "Choose model and directory" }).click();
	const form = page.getByRole("dialog");
	await form.getByText("As Scripted agent offered them when it was last open.").waitFor();
	await choose(page, form, "Mode", "Plan");
	await form.getByRole("button", { name: "Start" }).click();
	await page.waitForURL(/\/c\//);
	await say(page, "options");
	await answers(page).getByText('"mode":"plan"').waitFor();
});
