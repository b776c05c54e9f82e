import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The service worker holds the page and every part that it loaded. */
export async function keptForOffline(page: Page): Promise<void> {
	await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
	await expect
		.poll(
			() =>
				page.evaluate(async () => {
					const cache = await caches.open("rightseat-shell-1");
					const wanted = performance
						.getEntriesByType("resource")
						.map((entry) => entry.name)
						.filter((url) => url.includes("/assets/"));
					const kept = await Promise.all([`${location.origin}/`, ...wanted].map((url) => cache.match(new URL(url).pathname)));
					return kept.every((response) => response !== undefined);
				}),
			{ timeout: 20_000 },
		)
		.toBe(true);
}

/** Runs in the page: what the device holds of conversations. */
export function messagesOnDevice(): Promise<string> {
	return new Promise((resolve) => {
		const open = indexedDB.open("rightseat");
		open.onsuccess = () => {
			const request = open.result.transaction("views").objectStore("views").getAll();
			request.onsuccess = () => {
				open.result.close();
				resolve(JSON.stringify(request.result));
			};
		};
	});
}
