import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { seriousFindings } from "../../support/accessible.ts";
import { launchBrowser, type TestBrowser, type TestPage } from "../../support/browser.ts";
import { PHONE } from "../../support/page-harness.ts";
import { startServer, type TestServer } from "../../support/server.ts";

/** What a newcomer has: nothing configured, a link in the terminal, a browser. */
let browser: TestBrowser;
let server: TestServer;
let opened: TestPage | undefined;
beforeAll(async () => {
	server = await startServer();
	browser = await launchBrowser({ shared: true });
});
afterEach(() => opened?.close());
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

test("[CF27] the printed link opens the page, logged in, and the demo pilot answers there; nothing goes to another machine", async () => {
	opened = await browser.open(server.loginUrl);
	const { page, problems } = opened;
	await page.getByRole("textbox", { name: "Message" }).fill("What is in this folder?");
	await page.getByRole("button", { name: "Send", exact: true }).click();
	const answer = page.getByRole("log", { name: "Conversation" }).getByRole("article").last();
	await answer.getByText("working directory").first().waitFor();
	// The send button comes back when the turn has ended.
	await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
	await page.getByText(/demo/i).first().waitFor();
	expect(page.url()).not.toContain("code=");
	expect(problems).toEqual([]);
});

test("[CF238] what was said is there after a restart of the server and a reload of the page", async () => {
	server = await server.restart();
	opened = await browser.open(server.loginUrl);
	const list = opened.page.getByRole("list", { name: "Conversations" });
	await list.getByText("What is in this folder?").first().click();
	await opened.page.getByRole("log", { name: "Conversation" }).getByText("working directory").first().waitFor();
	expect(opened.problems).toEqual([]);
});

test("[PG798] the first steps are walked by keyboard alone, at a desk and on a phone, and once finished no device shows them", async () => {
	for (const options of [{}, PHONE]) {
		opened = await browser.open(await freshLink(), { ...options, reducedMotion: "reduce" });
		const { page, problems } = opened;
		const steps = page.getByRole("region", { name: "First steps" });
		await steps.getByRole("radio").first().waitFor();
		for (let step = 1; step <= 6; step += 1) {
			await steps.getByRole("heading", { name: `(step ${step} of 6)` }).waitFor();
			await expect.poll(() => steps.getByText("Loading").count()).toBe(0);
			expect(await seriousFindings(page, { part: "main" }), `step ${step}`).toEqual([]);
			expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
			if (step < 6) await steps.getByRole("button", { name: "Next" }).press("Enter");
		}
		await steps.getByRole("button", { name: options === PHONE ? "Finish" : "Back" }).press("Enter");
		if (options === PHONE) await page.getByRole("heading", { name: "What shall we work on?" }).waitFor();
		expect(problems).toEqual([]);
		await opened.close();
	}
	expect((await (await server.api("/api/settings")).json()).settings.firstRun).toBe("done");
	opened = await browser.open(await freshLink());
	// A link logs in once: loaded again before that, the page would be a stranger's.
	await opened.page.getByRole("textbox", { name: "Message" }).waitFor();
	const answered = opened.page.waitForResponse((response) => response.url().endsWith("/api/settings"));
	await opened.page.reload();
	await answered;
	await opened.page.getByRole("heading", { name: "What shall we work on?" }).waitFor();
	expect(await opened.page.getByRole("region", { name: "First steps" }).count()).toBe(0);
});

/** Another device: a link that logs in once. */
async function freshLink(): Promise<string> {
	const { url }: { url: string } = await (await server.api("/api/login-code", { method: "POST" })).json();
	return `${server.url}/${new URL(url).hash}`;
}
