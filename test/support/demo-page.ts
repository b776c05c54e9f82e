import type { BrowserContextOptions } from "playwright-core";
import { launchBrowser, loggedIn, type TestPage } from "./browser.ts";
import { startServer, type TestServer, type TestServerOptions } from "./server.ts";

export interface UiHarness {
	readonly server: TestServer;
	/** A logged-in page, on a phone or at a desk. */
	open(path?: string, options?: BrowserContextOptions): Promise<TestPage>;
	/** A page of somebody who is not logged in. */
	openStranger(url: string, options?: BrowserContextOptions): Promise<TestPage>;
	close(): Promise<void>;
}

/** The whole product with its demo pilot, and a real browser in front of it. */
export async function startUi(options: TestServerOptions = {}): Promise<UiHarness> {
	const server = await startServer(options);
	const browser = await launchBrowser();
	const host = new URL(server.url).hostname;
	return {
		server,
		async open(path = "/", context = {}) {
			return browser.open(`${server.url}${path}`, { ...context, ...loggedIn(await server.login(), host) });
		},
		openStranger: (url, context) => browser.open(url, context),
		async close() {
			await browser.close();
			await server.close();
		},
	};
}
