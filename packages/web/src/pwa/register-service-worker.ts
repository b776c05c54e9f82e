import type { Language } from "../i18n/words.ts";
import type { KeepMessage, LanguageMessage } from "./worker-inbox.ts";

/** Registers `/sw.js` and hands it what this page loads, so that the next start works offline with the same parts. */
export async function registerServiceWorker(container: ServiceWorkerContainer): Promise<void> {
	try {
		await container.register("/sw.js", { scope: "/" });
		const registration = await container.ready;
		// Not a list of this moment: what is on its way until the worker takes over would be in neither.
		new PerformanceObserver((list) => {
			const message: KeepMessage = { type: "keep", urls: builtFiles(list.getEntries()) };
			if (message.urls.length > 0) registration.active?.postMessage(message);
		}).observe({ type: "resource", buffered: true });
	} catch (error) {
		// Private windows and plain http refuse it; the page works without.
		console.info("This browser does not keep the page for offline use.", error);
	}
}

/** Notifications are in the language of the page, also when none is open. */
export async function tellLanguage(container: ServiceWorkerContainer, language: Language): Promise<void> {
	const message: LanguageMessage = { type: "language", language };
	(await container.ready).active?.postMessage(message);
}

const builtFiles = (entries: readonly PerformanceEntry[]) =>
	entries.map(({ name }) => name).filter((url) => url.startsWith(`${location.origin}/assets/`));
