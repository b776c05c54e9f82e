/** What the browser itself keeps for this page: files for opening offline, and its way to be notified. */
export async function forgetBrowser(): Promise<void> {
	if ("caches" in window) for (const name of await caches.keys()) await caches.delete(name);
	const registration = await navigator.serviceWorker?.getRegistration();
	const subscription = await registration?.pushManager?.getSubscription();
	await subscription?.unsubscribe();
}
