import { closeSettled, isSettled } from "../pwa/close-settled.ts";
import { pushText } from "../pwa/push-text.ts";
import type { WorkerMessage } from "../pwa/read-worker-message.ts";
import { createShellCache } from "../pwa/shell-cache.ts";
import { isKeepMessage, isLanguageMessage, type Push, readPush } from "../pwa/worker-inbox.ts";
import { conversationPath } from "../state/conversation-path.ts";

// Keeps the app shell for opening offline and shows notifications. Conversations are kept by the page itself; nothing under /api is ever cached.
declare const self: ServiceWorkerGlobalScope;

const CACHE = "rightseat-shell-1";
const ANSWER_TIMEOUT_MS = 500;

const shell = createShellCache({
	open: () => caches.open(CACHE),
	fetch: (...request) => fetch(...request),
	origin: self.location.origin,
});

self.addEventListener("install", (event) => {
	event.waitUntil(
		shell
			.install()
			.catch((error) => console.warn("The app shell could not be kept for offline use.", error))
			.then(() => self.skipWaiting()),
	);
});

self.addEventListener("activate", (event) => {
	event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
	const url = new URL(event.request.url);
	const ours = event.request.method === "GET" && url.origin === self.location.origin;
	if (!ours || !shell.serves(url.pathname)) return;
	event.respondWith(event.request.mode === "navigate" ? shell.openPage(event.request) : shell.fromCacheFirst(event.request));
});

self.addEventListener("message", (event) => {
	const message: unknown = event.data;
	if (isKeepMessage(message)) event.waitUntil(shell.keep(message.urls));
	if (isLanguageMessage(message)) event.waitUntil(shell.rememberLanguage(message.language));
});

self.addEventListener("push", (event) => {
	event.waitUntil(notify(openPush(event.data)));
});

self.addEventListener("notificationclick", (event) => {
	event.notification.close();
	event.waitUntil(openConversation(readPush(event.notification.data).conversationId));
});

async function removeOldCaches(): Promise<void> {
	const names = await caches.keys();
	await Promise.all(names.filter((name) => name.startsWith("rightseat-") && name !== CACHE).map((name) => caches.delete(name)));
}

function openPush(data: PushMessageData | null): Push {
	try {
		return readPush(data?.json());
	} catch {
		// Not from our server; its text is better than an empty notification.
		return { body: data?.text(), params: {} };
	}
}

/** Silent when a page is looking at this very conversation. */
async function notify(push: Push): Promise<void> {
	await showCount(push.count);
	if (isSettled(push)) {
		closeSettled(await self.registration.getNotifications({ tag: push.tag ?? "rightseat" }), push);
		return;
	}
	const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const visible = pages.filter((page) => page.visibilityState === "visible");
	const answers = await Promise.all(visible.map((page) => isLookingAt(page, push.conversationId)));
	if (answers.includes(true)) return;
	const body = pushText(push, await shell.language(self.navigator.languages));
	// The type library does not know `renotify`.
	const options: NotificationOptions & { renotify: boolean } = {
		...(body === undefined ? {} : { body }),
		// One notification per conversation: a newer one replaces the older.
		tag: push.tag ?? push.conversationId ?? "rightseat",
		renotify: true,
		icon: "/icon-192.png",
		badge: "/badge-96.png",
		data: { conversationId: push.conversationId, item: push.item },
	};
	await self.registration.showNotification(push.title ?? "Rightseat", options);
}

/** On the icon of the app, where the system shows one. */
async function showCount(count: number | undefined): Promise<void> {
	if (count === undefined || !("setAppBadge" in self.navigator)) return;
	await (count === 0 ? self.navigator.clearAppBadge() : self.navigator.setAppBadge(count)).catch(() => undefined);
}

/** Asks the page itself: the address that a worker sees is the one the page was loaded with. */
function isLookingAt(page: WindowClient, conversationId: string | undefined): Promise<boolean> {
	return new Promise<boolean>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = (event) => resolve(event.data === true);
		setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS);
		const question: WorkerMessage = { type: "looking-at", conversationId };
		page.postMessage(question, [port2]);
	});
}

async function openConversation(conversationId: string | undefined): Promise<void> {
	const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const page = pages.find((candidate) => candidate.visibilityState === "visible") ?? pages[0];
	if (page === undefined) {
		await self.clients.openWindow(conversationPath(conversationId));
		return;
	}
	const message: WorkerMessage = { type: "open-conversation", conversationId };
	page.postMessage(message);
	await page.focus();
}
