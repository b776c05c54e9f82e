import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acpAgentCommand } from "../../support/acp-agent/acp-agent.ts";
import { answers, type PageHarness, say, startPage } from "../../support/page-harness.ts";

let bed: PageHarness;
let sessions: string;
beforeAll(async () => {
	sessions = mkdtempSync(join(tmpdir(), "acp-sessions-"));
	const agents = [{ id: "scripted", name: "Scripted", command: acpAgentCommand(`home=${sessions}`) }];
	bed = await startPage({ env: { RIGHTSEAT_AGENTS: JSON.stringify(agents) } });
});
afterAll(async () => {
	await bed.close();
	rmSync(sessions, { recursive: true, force: true });
});

/** Sends a prompt past the page, as another device does. */
async function sendElsewhere(conversationId: string, prompt: string): Promise<void> {
	const response = await bed.server().api(`/api/conversations/${conversationId}/messages`, { method: "POST", json: { prompt } });
	expect(response.status).toBe(202);
}

async function untilStatus(
	conversationId: string,
	isReached: (conversation: { status: string; asking: boolean }) => boolean,
): Promise<void> {
	const look = async () => (await (await bed.server().api(`/api/conversations/${conversationId}`)).json()).conversation;
	await expect.poll(async () => isReached(await look())).toBe(true);
}

/** The reader looks at another conversation for two minutes, by the page's own clock. */
async function leave(page: Page): Promise<void> {
	await page.getByRole("button", { name: "New conversation", exact: true }).first().click();
	await page.waitForURL((url) => !url.pathname.startsWith("/c/"));
}
const comeBack = (page: Page, conversationId: string) =>
	page.evaluate(
		([path]) => {
			const now = Date.now.bind(Date);
			Date.now = () => now() + 120_000;
			document.querySelector<HTMLAnchorElement>(`a[href="${path}"]`)?.click();
		},
		[`/c/${conversationId}`],
	);

test("[PG721] whoever comes back to an agent over ACP reads what it did meanwhile: answers, files, commands, and the question that waits", async () => {
	const { page } = await bed.openPage("/?lang=en");
	await page.getByRole("combobox", { name: "Agent" }).click();
	await page.getByRole("option", { name: /^Scripted/ }).click();
	await say(page, "say Hello.");
	await answers(page).getByText("Hello.").waitFor();
	await page.waitForURL(/\/c\//);
	const conversationId = new URL(page.url()).pathname.slice("/c/".length);
	await untilStatus(conversationId, ({ status }) => status === "completed");
	await leave(page);

	const work = ["edit away.txt words", 'tool Bash {"command":"echo fine"}', 'tool Bash {"command":"exit 3"}', "run true"].join(" ;; ");
	await sendElsewhere(conversationId, work);
	await untilStatus(conversationId, ({ status }) => status === "completed");
	await sendElsewhere(conversationId, "ask Which one? | this | that");
	await untilStatus(conversationId, ({ asking }) => asking);
	await comeBack(page, conversationId);

	const card = page.getByRole("region", { name: "While you were away" });
	await card.waitFor();
	await expect
		.poll(() => card.innerText())
		.toContain("1 question waits for you · 1 answer finished · 1 file changed · 3 commands (1 failed) · still working");
	await card.getByRole("button", { name: "Details" }).click();
	await expect
		.poll(() => card.getByRole("listitem").allInnerTexts())
		.toEqual([expect.stringMatching(/^± .*away\.txt$/), "0 $ echo fine", "3 $ exit 3", "· $ true"]);
	await page.getByRole("group", { name: "Question" }).getByRole("button", { name: "that" }).click();
	await answers(page).getByText("Answer: that").waitFor();
	await card.getByRole("button", { name: "Dismiss" }).click();
	await card.waitFor({ state: "detached" });
});
