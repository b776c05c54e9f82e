import { join } from "node:path";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { findBrowser } from "../../scripts/lib/browser.mjs";
import type { TestServer } from "../../test/support/server.ts";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"];

/** A headless Chromium that opens pages of one server, each as a new visitor who is logged in. */
export interface BenchBrowser {
	/** `before` is called when the page is there and nothing of it is loaded. */
	open(path: string, before?: (devtools: CDPSession) => Promise<void>): Promise<BenchPage>;
	close(): Promise<void>;
}

export interface BenchPage {
	page: Page;
	devtools: CDPSession;
	/** Evaluates an expression; `probe` is page-probe.js. */
	ask<T>(expression: string): Promise<T>;
	/** JavaScript heap after a collection, in MB. */
	heapMb(): Promise<number>;
	close(): Promise<void>;
}

export async function launchChromium(server: TestServer): Promise<BenchBrowser> {
	const executablePath = findBrowser();
	if (executablePath === undefined) throw new Error("No Chromium found. npm test installs one; or set CHROMIUM_PATH.");
	const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
	const [name = "", value = ""] = (await server.login()).split("=");
	return {
		async open(path, before) {
			const context = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 } });
			await context.addCookies([{ name, value, domain: "127.0.0.1", path: "/" }]);
			await context.addInitScript({ path: join(import.meta.dirname, "page-probe.js") });
			const page = await context.newPage();
			const devtools = await context.newCDPSession(page);
			await before?.(devtools);
			await page.goto(`${server.url}${path}`);
			return {
				...{ page, devtools },
				ask: (expression) => page.evaluate(expression),
				heapMb: () => heapMb(devtools),
				close: () => context.close(),
			};
		},
		close: () => browser.close(),
	};
}

async function heapMb(devtools: CDPSession): Promise<number> {
	await devtools.send("HeapProfiler.enable");
	await devtools.send("HeapProfiler.collectGarbage");
	await devtools.send("Performance.enable");
	const { metrics } = await devtools.send("Performance.getMetrics");
	return (metrics.find((metric) => metric.name === "JSHeapUsedSize")?.value ?? 0) / 2 ** 20;
}
