import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { answers, type PageHarness, PHONE, say, startPage } from "../../support/page-harness.ts";
import { beginTalk } from "./talk.ts";

const INSTALL = "npm install -g @agentclientprotocol/claude-agent-acp";

let bed: PageHarness;
let programs: string;
beforeAll(async () => {
	programs = mkdtempSync(join(tmpdir(), "rightseat-agents-"));
	// Claude Code without the program that speaks ACP for it, and a Codex that nobody has logged in.
	program("claude", "exit 1");
	program("codex-acp", `exec ${acpAgentCommand("login").join(" ")}`);
	const plain = { id: "plain", name: "Plain", command: acpAgentCommand("no-steering", "no-images", "no-options") };
	// More than fit on a screen.
	const many = Array.from({ length: 9 }, (_, n) => ({ id: `more-${n}`, name: `More ${n}`, command: acpAgentCommand() }));
	bed = await startPage({
		env: { PATH: `${programs}:${process.env.PATH ?? ""}`, RIGHTSEAT_AGENTS: JSON.stringify([plain, ...many]), SHELL: "/bin/bash" },
	});
	// What an agent needs, and what it cannot do, is known when it was tried.
	for (const agent of ["codex", "plain"]) {
		const talk = await beginTalk(bed.server(), { agent, permissions: "auto" });
		await talk.send("say hello").ended;
		await talk.close();
	}
});
afterAll(async () => {
	await bed.close();
	rmSync(programs, { recursive: true, force: true });
});

function program(name: string, script: string): void {
	writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
	chmodSync(join(programs, name), 0o755);
}

async function openForm(page: Page) {
	await page.getByRole("button", { name: "Choose model and directory" }).click();
	const form = page.getByRole("dialog");
	const agent = form.getByRole("combobox", { name: "Agent" });
	await agent.click();
	const option = (name: RegExp) => page.getByRole("listbox", { name: "Agent" }).getByRole("option", { name });
	return { form, agent, option };
}

test("[PG480] the form of a new conversation says of each agent how it stands, who pays and what it cannot do, and copies what to install", async () => {
	const { page } = await bed.openPage("/?lang=en", { permissions: ["clipboard-read", "clipboard-write"] });
	const { form, agent, option } = await openForm(page);
	expect(await option(/^Claude Code/).innerText()).toMatch(/not installed · Paid through your Anthropic account or key/);
	expect(await option(/^Codex/).innerText()).toMatch(/not logged in · Paid through your OpenAI account or key/);
	const plain = await option(/^Plain/).innerText();
	expect(plain).toContain("Paid as you set it up in Plain");
	for (const limit of ["take a message into a running turn", "see pictures", "change its model from here"]) expect(plain).toContain(limit);
	await option(/^Claude Code/).click();
	await page.getByText(INSTALL, { exact: true }).waitFor();
	await page.getByRole("button", { name: "Copy the command" }).click();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(INSTALL);
	// It is not taken: the form still begins a conversation with the agent of before.
	await page.keyboard.press("Escape");
	expect(await agent.getAttribute("aria-expanded")).toBe("false");
	expect(await agent.innerText()).toContain("Copilot");
	await form.getByRole("button", { name: "Start" }).click();
	await page.waitForURL(/\/c\//);
	const { conversations } = await (await bed.server().api("/api/conversations")).json();
	expect(conversations[0].agent).toBe("copilot");
});

test("[PG481] an agent without a login opens our terminal with its own command typed in, and nothing is run", async () => {
	const { page } = await bed.openPage("/?lang=en");
	const { option } = await openForm(page);
	await option(/^Codex/).click();
	await page.getByRole("button", { name: "Log in", exact: true }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	const terminal = page.locator(".xterm-rows");
	await expect.poll(() => terminal.innerText()).toMatch(/codex login\s*$/);
});

test("[PG482] a conversation that the form began with another agent says before it is tried what that agent cannot do", async () => {
	const { page } = await bed.openPage("/?lang=en");
	const { form, option } = await openForm(page);
	await option(/^Plain/).click();
	await form.getByRole("combobox", { name: "Model" }).getByText("The agent’s choice").waitFor();
	await form.getByRole("button", { name: "Start" }).click();
	await page.getByRole("button", { name: "Agent: Plain" }).waitFor();
	const picture = { name: "dot.png", mimeType: "image/png", buffer: Buffer.from("89504e470d0a1a0a", "hex") };
	await page.locator('input[type="file"]').setInputFiles(picture);
	await page.getByText("Plain cannot see pictures").waitFor();
	await page.getByRole("button", { name: /^Remove dot\.png/ }).click();
	await say(page, "say Here I am. ;; wait");
	await answers(page).getByText("Here I am.").waitFor();
	await page.getByRole("textbox", { name: "Message" }).fill("and then");
	await page.getByText("Waits in the queue").waitFor();
	expect(await page.getByRole("button", { name: "Steer" }).count()).toBe(0);
	await page.getByRole("textbox", { name: "Message" }).fill("");
	await page.getByRole("button", { name: "Stop" }).click();
});

test("[PG485] a list that is longer than the window ends at its edge, and the option that the keys have reached is in sight", async () => {
	const { page } = await bed.openPage("/?lang=en", { viewport: { width: 1000, height: 500 } });
	const { agent } = await openForm(page);
	await agent.press("End");
	const list = page.getByRole("listbox", { name: "Agent" });
	const last = list.getByRole("option").last();
	const bottom = async (one: typeof list) => {
		const box = await one.boundingBox();
		return (box?.y ?? 0) + (box?.height ?? 0);
	};
	await expect.poll(async () => (await bottom(last)) <= (await bottom(list)) + 1).toBe(true);
	expect((await list.boundingBox())?.y).toBeGreaterThanOrEqual(0);
});

test.each(["light", "dark"] as const)("[PG483] on a phone the form with its agents fits in both languages, %s", async (colorScheme) => {
	for (const [lang, sidebar, button, label] of [
		["en", "Open conversation list", "Choose model and directory", "Agent"],
		["zh-TW", "開啟對話列表", "選擇模型與目錄", "代理"],
	] as const) {
		const { page } = await bed.openPage(`/?lang=${lang}`, { ...PHONE, colorScheme });
		await page.getByRole("button", { name: sidebar }).click();
		await page.getByRole("button", { name: button }).click();
		const agent = page.getByRole("dialog").getByRole("combobox", { name: label });
		await agent.click();
		const list = page.getByRole("listbox", { name: label });
		await list.getByRole("option").first().scrollIntoViewIfNeeded();
		await list.getByRole("option", { name: /^Claude Code/ }).click();
		const command = page.getByText(INSTALL, { exact: true });
		await command.waitFor();
		const boxes = await Promise.all([list, command, agent].map((one) => one.boundingBox()));
		for (const box of boxes) expect(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 390).toBe(true);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	}
});
