import type { BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser, loggedIn, type TestPage } from "./browser.ts";
import { createFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { startServer, type TestServer, type TestServerOptions } from "./server.ts";

export interface PageHarness {
	/** The running server; `restart` replaces it. */
	server(): TestServer;
	readonly model: ScriptedModel;
	/** Between the browser and the server. */
	readonly proxy: FaultProxy;
	/** A logged-in page behind the proxy. */
	open(path?: string, options?: BrowserContextOptions): Promise<TestPage>;
	/** A page of somebody who is not logged in. */
	openStranger(url: string, options?: BrowserContextOptions): Promise<TestPage>;
	/** Kills the server without warning and starts it again. */
	restart(): Promise<void>;
	close(): Promise<void>;
}

/** The whole product with a scripted model behind it and a bad network in front. */
export async function startPage(options: TestServerOptions = {}): Promise<PageHarness> {
	const model = await startScriptedModel();
	const env = { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "key", ...options.env };
	let server = await startServer({ ...options, env });
	const proxy = await createFaultProxy({ port: server.port });
	const browser = await launchBrowser();
	return {
		server: () => server,
		model,
		proxy,
		async open(path = "/", context = {}) {
			return browser.open(`${proxy.url}${path}`, { ...context, ...loggedIn(await server.login(), "127.0.0.1") });
		},
		openStranger: (url, context) => browser.open(url, context),
		async restart() {
			server = await server.restart();
		},
		async close() {
			await browser.close();
			await proxy.close();
			await server.close();
			await model.close();
		},
	};
}

export const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
export const answers = (page: Page) => log(page).getByRole("article", { name: "Assistant" });
export const prompts = (page: Page) => log(page).getByRole("article", { name: "You" });

export async function say(page: Page, text: string): Promise<void> {
	await page.getByRole("textbox", { name: "Message" }).fill(text);
	await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The words of a numbered text, each exactly once and in order. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

/** What the newest answer shows of a numbered text. */
export async function shownWords(page: Page): Promise<string> {
	const text = (await answers(page).last().innerText()).match(/word\d+/g) ?? [];
	return text.join(" ");
}
