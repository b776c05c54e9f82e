import type { BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { launchBrowser, type TestPage } from "./browser.ts";
import { createFaultProxy, type FaultProxy } from "./fault-proxy.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { startServer, type TestServer, type TestServerOptions } from "./server.ts";

export interface PageHarness {
	/** The running server; `restart` replaces it. */
	server(): TestServer;
	/** Answers when the server runs with the scripted model. */
	readonly model: ScriptedModel;
	/** Between the browser and the server. */
	readonly proxy: FaultProxy;
	/** A logged-in page, behind the proxy when the model is scripted, on a phone or at a desk; whoever opens it closes it. */
	open(path?: string, options?: BrowserContextOptions): Promise<TestPage>;
	/** The same, closed when the test is over, however it ends. */
	openPage(path?: string, options?: BrowserContextOptions): Promise<TestPage>;
	/** A page of somebody who is not logged in. */
	openStranger(url: string, options?: BrowserContextOptions): Promise<TestPage>;
	/** Kills the server without warning and starts it again. */
	restart(): Promise<void>;
	close(): Promise<void>;
}

export interface PageOptions extends TestServerOptions {
	/** Who answers: a model that says what the test tells it to, or the demo pilot as after a first start. */
	pilot?: "scripted" | "demo";
	/** Tests of notifications need the whole Chromium. */
	wholeBrowser?: boolean;
}

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The whole product with a real browser in front of it, and between them a network that can be made bad. */
export async function startPage({ pilot = "scripted", wholeBrowser = false, ...options }: PageOptions = {}): Promise<PageHarness> {
	const model = await startScriptedModel();
	const scripted = { RIGHTSEAT_PROVIDER_URL: model.url, RIGHTSEAT_PROVIDER_KEY: "key" };
	let server = await startServer({ ...options, env: pilot === "scripted" ? { ...scripted, ...options.env } : (options.env ?? {}) });
	const proxy = await createFaultProxy({ port: server.port });
	const browser = await launchBrowser({ whole: wholeBrowser, shared: true });

	async function open(path = "/", context: BrowserContextOptions = {}): Promise<TestPage> {
		const base = pilot === "scripted" ? proxy.url : server.url;
		const cookies = cookiesOf(await server.login(), new URL(base).hostname);
		return browser.open(`${base}${path}`, { ...context, storageState: { cookies, origins: [] } });
	}

	return {
		server: () => server,
		model,
		proxy,
		open,
		async openPage(path, context) {
			const opened = await open(path, context);
			onTestFinished(opened.close);
			return opened;
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

/** The cookie header of a login as the browser keeps it. */
/** A Cookie header as a browser takes it. */
export function cookiesOf(header: string, domain: string) {
	return header.split("; ").map((pair) => {
		const at = pair.indexOf("=");
		const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
		return { name, value, domain, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" as const };
	});
}

export const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
export const answers = (page: Page) => log(page).getByRole("article", { name: "Assistant" });
export const prompts = (page: Page) => log(page).getByRole("article", { name: "You" });

export async function say(page: Page, text: string): Promise<void> {
	await page.getByRole("textbox", { name: "Message" }).fill(text);
	await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The box is there before the code that listens to the keys of the whole page. */
export async function untilKeysAreHeard(page: Page): Promise<void> {
	await page.locator("#message").waitFor();
	// What a component does when it has been shown comes after the frame that shows it.
	await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/** The words of a numbered text, each exactly once and in order. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

/** What the newest answer shows of a numbered text. */
export async function shownWords(page: Page): Promise<string> {
	const text = (await answers(page).last().innerText()).match(/word\d+/g) ?? [];
	return text.join(" ");
}
