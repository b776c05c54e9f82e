import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchBrowser, type TestBrowser, type TestPage } from "../../support/browser.ts";
import { startServer, type TestServer } from "../../support/server.ts";

/** What a newcomer has: nothing configured, a link in the terminal, a browser. */
let browser: TestBrowser;
let server: TestServer;
let opened: TestPage | undefined;
beforeAll(async () => {
	server = await startServer();
	browser = await launchBrowser();
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
