import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findBrowser, findHeadlessShell } from "../../scripts/lib/browser.mjs";

/** A root user has no sandbox; the rest keeps Chromium from calling home. */
export const BROWSER_FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--disable-dev-shm-usage",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE *.localhost",
];

/** How long a page may take to show what a test waits for: long, because the machine may be busy. A deadline that is a promise stands in its test. */
const PATIENCE_MS = 60_000;

export interface TestBrowser {
	/** Opens a page that reports every request to another machine and every error in `problems`. */
	open(url: string, options?: BrowserContextOptions): Promise<TestPage>;
	close(): Promise<void>;
}
export interface TestPage {
	readonly page: Page;
	/** Requests to other hosts, uncaught errors, console errors. */
	readonly problems: readonly string[];
	close(): Promise<void>;
}

/** Browsers that the test files of one worker share: one for each file would cost a second of processor time every time. They end with the worker. */
const running = new Map<string, Promise<Browser>>();

/** The headless shell where there is one; the whole Chromium for what only that has, such as notifications. Its pages share nothing with those of another. */
export async function launchBrowser({ whole = false, shared = false } = {}): Promise<TestBrowser> {
	const executablePath = (whole ? undefined : findHeadlessShell()) ?? findBrowser();
	if (executablePath === undefined) throw new Error("No Chromium found. npm test installs one; or set CHROMIUM_PATH.");
	const browser = shared ? await sharedBrowser(executablePath) : await launch(executablePath);
	const pages = new Set<TestPage>();
	return {
		async open(url, options) {
			const opened = await openPage(browser, url, options);
			pages.add(opened);
			return opened;
		},
		async close() {
			await Promise.all([...pages].map((page) => page.close()));
			if (!shared) await browser.close();
		},
	};
}

const launch = (executablePath: string) => chromium.launch({ executablePath, headless: true, args: BROWSER_FLAGS });

async function sharedBrowser(executablePath: string): Promise<Browser> {
	const known = await running.get(executablePath);
	if (known?.isConnected() === true) return known;
	const started = launch(executablePath);
	running.set(executablePath, started);
	return started;
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<TestPage> {
	const context = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 }, ...options });
	context.setDefaultTimeout(PATIENCE_MS);
	const problems: string[] = [];
	context.on("request", (request) => {
		if (isForeign(new URL(request.url()))) problems.push(`request to another machine: ${request.url()}`);
	});
	const page = await context.newPage();
	page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
	page.on("console", (message) => {
		if (message.type() === "error") problems.push(`console: ${message.text()}`);
	});
	await page.goto(url);
	return { page, problems, close: () => context.close() };
}

function isForeign(url: URL): boolean {
	return /^(?:https?|wss?):$/.test(url.protocol) && !["127.0.0.1", "localhost", "rightseat.localhost", "[::1]"].includes(url.hostname);
}

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The browser of somebody who is logged in: the Cookie header of a login, as cookies of this host. */
export function loggedIn(cookieHeader: string, host: string): Pick<BrowserContextOptions, "storageState"> {
	const cookies = cookieHeader.split("; ").map((pair) => {
		const at = pair.indexOf("=");
		const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
		return { name, value, domain: host, path: "/", expires: -1, httpOnly: true, secure: false, sameSite: "Strict" as const };
	});
	return { storageState: { cookies, origins: [] } };
}
