import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, PHONE, startPage } from "../../support/page-harness.ts";

let bed: PageHarness;
let programs: string;
beforeAll(async () => {
	programs = mkdtempSync(join(tmpdir(), "rightseat-agents-"));
	for (const name of ["opencode", "claude"]) {
		writeFileSync(join(programs, name), "#!/bin/sh\nexit 1\n");
		chmodSync(join(programs, name), 0o755);
	}
	bed = await startPage({ env: { PATH: `${programs}:${process.env.PATH ?? ""}` } });
});
afterAll(async () => {
	await bed.close();
	rmSync(programs, { recursive: true, force: true });
});

test("[PG413] a person chooses the agent before the first prompt, is told what to install, and the conversation shows it", async () => {
	const { page } = await bed.openPage("/?lang=en");
	const agent = page.getByRole("combobox", { name: "Agent" });
	await agent.click();
	await page.getByRole("option", { name: /^Claude Code/ }).click();
	await page.getByText("npm install -g @agentclientprotocol/claude-agent-acp").waitFor();
	await page.keyboard.press("Escape");
	await agent.press("ArrowDown");
	await page.getByRole("option", { name: /^opencode/ }).click();
	await agent.getByText("opencode").waitFor();
	await page.getByRole("combobox", { name: "Model" }).getByText("The agent’s choice").waitFor();
	await page.getByRole("textbox", { name: "Message" }).fill("hello");
	await page.getByRole("button", { name: "Send", exact: true }).click();
	await page.getByRole("button", { name: "Agent: opencode" }).waitFor();
	const { conversations } = await (await bed.server().api("/api/conversations")).json();
	expect(conversations[0].agent).toBe("opencode");
});

test("[PG413] the choice fits a phone", async () => {
	const { page } = await bed.openPage("/?lang=zh-TW", PHONE);
	const agent = page.getByRole("combobox", { name: "代理" });
	await agent.click();
	const list = page.getByRole("listbox", { name: "代理" });
	await list.waitFor();
	const box = await list.boundingBox();
	expect(box !== null && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0).toBe(true);
});
