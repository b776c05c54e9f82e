import type { WorkerMessage } from "../pwa/read-worker-message.ts";
import { isKeepMessage, type Push, readPush } from "../pwa/worker-inbox.ts";
import { conversationPath } from "../state/conversation-path.ts";

// Keeps the app shell for opening offline and shows notifications. Conversations are kept by the page itself; nothing under /api is ever cached.
declare const self: ServiceWorkerGlobalScope;

const CACHE = "rightseat-shell-1";
const MAX_ENTRIES = 200;
const NAVIGATION_TIMEOUT_MS = 4000;
const ANSWER_TIMEOUT_MS = 500;
const NEVER = ["/api/", "/ws", "/healthz", "/sw.js"];

self.addEventListener("install", (event) => {
	event.waitUntil(
		cacheShell()
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
	if (!ours || NEVER.some((path) => url.pathname === path || url.pathname.startsWith(path))) return;
	event.respondWith(event.request.mode === "navigate" ? openPage(event.request) : fromCacheFirst(event.request, url));
});

self.addEventListener("message", (event) => {
	const message: unknown = event.data;
	if (isKeepMessage(message)) event.waitUntil(keep(message.urls));
});

self.addEventListener("push", (event) => {
	event.waitUntil(notify(openPush(event.data)));
});

self.addEventListener("notificationclick", (event) => {
	event.notification.close();
	event.waitUntil(openConversation(readPush(event.notification.data).conversationId));
});

async function cacheShell(): Promise<void> {
	const cache = await caches.open(CACHE);
	const response = await fetch("/", { cache: "no-store", credentials: "same-origin" });
	if (!response.ok) throw new DOMException(`The page answered ${response.status}.`, "NetworkError");
	await cache.put("/", response.clone());
	const html = await response.text();
	const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
	await keep(assets);
}

async function keep(urls: readonly string[]): Promise<void> {
	const cache = await caches.open(CACHE);
	for (const url of urls.slice(0, MAX_ENTRIES)) {
		const { pathname, origin } = new URL(url, self.location.origin);
		if (origin !== self.location.origin || pathname === "/" || NEVER.some((path) => pathname.startsWith(path))) continue;
		if ((await cache.match(pathname)) !== undefined) continue;
		const response = await fetch(pathname).catch(() => undefined);
		if (response?.ok) await cache.put(pathname, response);
	}
	await trim(cache);
}

/** The newest page when the server answers soon, else the kept one: a phone on a bad line must not stare at white. */
async function openPage(request: Request): Promise<Response> {
	const cache = await caches.open(CACHE);
	const kept = await cache.match("/");
	const fresh = fetch(request).then(async (response) => {
		const isPage = response.ok && (response.headers.get("content-type") ?? "").includes("text/html");
		if (isPage) await cache.put("/", response.clone());
		return response;
	});
	if (kept === undefined) return fresh;
	const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), NAVIGATION_TIMEOUT_MS));
	return Promise.race([fresh.catch(() => kept), late]);
}

/** Built files carry a hash in their name, so a kept one is never stale; the few others are refreshed behind the answer. */
async function fromCacheFirst(request: Request, url: URL): Promise<Response> {
	const cache = await caches.open(CACHE);
	const kept = await cache.match(url.pathname);
	const hashed = url.pathname.startsWith("/assets/");
	if (kept !== undefined && hashed) return kept;
	const fresh = fetch(request).then(async (response) => {
		if (response.ok && response.status === 200) {
			await cache.put(url.pathname, response.clone());
			await trim(cache);
		}
		return response;
	});
	if (kept === undefined) return fresh;
	fresh.catch((error) => console.debug("Offline; the kept file is used.", error));
	return kept;
}

async function trim(cache: Cache): Promise<void> {
	const keys = await cache.keys();
	const surplus = keys.filter((key) => new URL(key.url).pathname !== "/").slice(0, Math.max(0, keys.length - MAX_ENTRIES));
	await Promise.all(surplus.map((key) => cache.delete(key)));
}

async function removeOldCaches(): Promise<void> {
	const names = await caches.keys();
	await Promise.all(names.filter((name) => name.startsWith("rightseat-") && name !== CACHE).map((name) => caches.delete(name)));
}

function openPush(data: PushMessageData | null): Push {
	try {
		return readPush(data?.json());
	} catch {
		// Not from our server; its text is better than an empty notification.
		return { body: data?.text() };
	}
}

/** Silent when a page is looking at this very conversation. */
async function notify(push: Push): Promise<void> {
	const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const visible = pages.filter((page) => page.visibilityState === "visible");
	const answers = await Promise.all(visible.map((page) => isLookingAt(page, push.conversationId)));
	if (answers.includes(true)) return;
	// The type library does not know `renotify`.
	const options: NotificationOptions & { renotify: boolean } = {
		...(push.body === undefined ? {} : { body: push.body }),
		// One notification per conversation: a newer one replaces the older.
		tag: push.tag ?? push.conversationId ?? "rightseat",
		renotify: true,
		icon: "/icon-192.png",
		badge: "/badge-96.png",
		data: { conversationId: push.conversationId },
	};
	await self.registration.showNotification(push.title ?? "Rightseat", options);
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
