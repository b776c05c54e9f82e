import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { answers, log, type PageHarness, prompts, say, startPage } from "../../support/page-harness.ts";

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What people have on the page with Copilot they have with an agent over ACP. */
let bed: PageHarness;
let sessions: string;
let page: Page;
beforeAll(async () => {
	sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	const agents = [{ id: "scripted", name: "Scripted", command: acpAgentCommand(`home=${sessions}`) }];
	bed = await startPage({ env: { RIGHTSEAT_AGENTS: JSON.stringify(agents), RIGHTSEAT_DEFAULT_AGENT: "scripted" } });
	({ page } = await bed.open("/?lang=en"));
	await page.getByRole("combobox", { name: "Agent" }).waitFor();
});
afterAll(async () => {
	await bed.close();
	rmSync(sessions, { recursive: true, force: true });
});

const idle = () => page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });

test("[PG724] files and pictures go along with the first prompt, and nothing is said of an agent that nobody has used yet as if it were known", async () => {
	await page.locator('input[type="file"]').setInputFiles([
		{ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") },
		{ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") },
	]);
	await page.getByText("Whether Scripted sees pictures is known once it has been used.").waitFor();
	await page.getByRole("button", { name: /^Remove plan\.txt/ }).waitFor();
	// A prompt does not leave while one of its files is on the way.
	await expect.poll(() => page.getByRole("img", { name: /^Uploading/ }).count()).toBe(0);
	await say(page, "prompt");
	await answers(page).getByText('"mimeType":"image/png"').waitFor();
	await answers(page).getByText("plan.txt").waitFor();
	await prompts(page).getByText("plan.txt").waitFor();
	await idle();
	// Now it is known that it sees them.
	await page.locator('input[type="file"]').setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") });
	const remove = page.getByRole("button", { name: /^Remove dot\.png/ });
	await remove.waitFor();
	expect(await page.getByText(/sees? pictures/).count()).toBe(0);
	await remove.click();
});

test("[PG724] its plan, its diff and what is left of its context are shown", async () => {
	await say(page, "plan *Look, >Mend, Test ;; edit note.txt hello ;; usage 25000 100000 0.25 ;; say Mended.");
	await answers(page).getByText("Mended.").waitFor();
	await idle();
	await answers(page).getByText("1 of 3 done").waitFor();
	await expect.poll(() => answers(page).last().innerText()).toMatch(/Edit\s+note\.txt[\s\S]*\bhello\b/);
	await page.getByText("25%", { exact: true }).first().waitFor();
});

test("[PG724] its question is asked in the words of ours, and the answer reaches it", async () => {
	await say(page, "ask Which one? | this | that");
	const question = page.getByRole("group", { name: "Question" });
	await question.getByRole("button", { name: "that" }).click();
	await answers(page).getByText("Answer: that").waitFor();
	await idle();
	await expect.poll(() => answers(page).last().innerText()).toMatch(/^Ask\s+Which one\?/);
});

test("[PG724] a prompt waits in its queue, another one is steered in, and Stop ends the turn with what was said", async () => {
	const message = page.getByRole("textbox", { name: "Message" });
	await say(page, "say First. ;; steerable ;; wait");
	await answers(page).getByText("First.").waitFor();
	await say(page, "say Second.");
	await page.getByText("1 prompt waits").waitFor();
	await message.fill("left or right");
	await page.getByRole("button", { name: "Steer", exact: true }).click();
	await answers(page).getByText("Steered: left or right").waitFor();
	await page.getByRole("button", { name: "Stop", exact: true }).click();
	await answers(page).getByText("Stopped", { exact: true }).waitFor();
	await answers(page).getByText("Second.", { exact: true }).waitFor();
	await idle();
});

test("[PG724] what it said is found by a search and stands in the export", async () => {
	await say(page, "say The heron stands in the reeds.");
	await answers(page).getByText("The heron stands").waitFor();
	await idle();
	await page.getByRole("searchbox").fill("heron");
	await page.getByRole("link", { name: /heron/ }).first().waitFor();
	await page.getByRole("searchbox").fill("");
	const download = page.waitForEvent("download");
	await say(page, "/export");
	const file = await (await download).path();
	expect(readFileSync(file, "utf8")).toContain("The heron stands in the reeds.");
	expect(await log(page).getByRole("article").count()).toBeGreaterThan(10);
});
