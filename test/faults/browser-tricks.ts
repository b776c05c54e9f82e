import type { Page } from "playwright-core";
import { wait } from "./wait.ts";

/** The tab is hidden or shown, as its document tells it; a headless browser hides nothing by itself. */
export async function setHidden(tab: Page, hidden: boolean): Promise<void> {
	await tab.evaluate((now) => {
		Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (now ? "hidden" : "visible") });
		Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
		document.dispatchEvent(new Event("visibilitychange"));
	}, hidden);
}

/** The browser stops the tab's timers and tasks, as it does with one that was hidden for long. */
export async function freezeTab(tab: Page, ms: number): Promise<void> {
	const devtools = await tab.context().newCDPSession(tab);
	await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
	await wait(ms);
	await devtools.send("Page.setWebLifecycleState", { state: "active" });
	await devtools.detach();
}

/** The renderer dies, as on a page that ran out of memory. */
export async function crashTab(tab: Page): Promise<void> {
	const devtools = await tab.context().newCDPSession(tab);
	const crashed = new Promise<void>((resolve) => tab.once("crash", () => resolve()));
	// The answer never comes: who should give it is dead.
	devtools.send("Page.crash").catch(() => undefined);
	await crashed;
}

/** The wall clock of the tab jumps, its timers do not: what a page sees after a long sleep. */
export async function shiftClock(tab: Page, ms: number): Promise<void> {
	await tab.evaluate((shift) => {
		const now = Date.now.bind(Date);
		Date.now = () => now() + shift;
	}, ms);
}

/** The reader goes to another address and comes back; the browser may bring the page back as it was. */
export async function leaveAndReturn(tab: Page, awayMs: number): Promise<void> {
	await tab.goto(`${new URL(tab.url()).origin}/healthz`, { waitUntil: "commit" });
	await wait(awayMs);
	await tab.goBack({ waitUntil: "commit" });
}

/** The next Enter sends and loads the page again in the same moment. */
export async function leaveWithEnter(tab: Page): Promise<void> {
	await tab.locator("header").getByRole("status").waitFor();
	await tab.evaluate(() => window.addEventListener("keydown", (event) => event.key === "Enter" && location.reload()));
}

/** The device has written this text into its outbox. */
export async function keptOnDevice(tab: Page, text: string): Promise<void> {
	await tab.waitForFunction(
		(wanted) =>
			new Promise<boolean>((resolve) => {
				const open = indexedDB.open("rightseat");
				open.onerror = () => resolve(false);
				open.onsuccess = () => {
					const request = open.result.transaction("outbox").objectStore("outbox").getAll();
					request.onsuccess = () => {
						open.result.close();
						resolve(JSON.stringify(request.result).includes(wanted));
					};
				};
			}),
		text,
		{ polling: 50 },
	);
}
