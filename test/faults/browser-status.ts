import type { BrowserContext, Page } from "playwright-core";

const REPORT = "rightseatStatus";

/** Tells every change of the words that a page shows about its connection, of every tab, over reloads. */
export async function watchStatus(context: BrowserContext, saw: (page: Page, words: string) => void): Promise<void> {
	await context.exposeBinding(REPORT, ({ page }, words: unknown) => saw(page, String(words)));
	await context.addInitScript((report) => {
		let last = "";
		const look = () => {
			const words = document.querySelector("header [role=status]")?.textContent ?? "";
			if (words === last) return;
			last = words;
			Reflect.get(window, report)(words);
		};
		new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
	}, REPORT);
}
