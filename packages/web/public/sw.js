// Keeps the app shell for opening offline and shows notifications. Conversations are kept by the page itself; nothing under /api is ever cached.
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
	if (event.data?.type === "keep") event.waitUntil(keep(event.data.urls ?? []));
});

self.addEventListener("push", (event) => {
	event.waitUntil(notify(readPush(event.data)));
});

self.addEventListener("notificationclick", (event) => {
	event.notification.close();
	event.waitUntil(openConversation(event.notification.data?.conversationId));
});

async function cacheShell() {
	const cache = await caches.open(CACHE);
	const response = await fetch("/", { cache: "no-store", credentials: "same-origin" });
	if (!response.ok) throw new Error(`The page answered ${response.status}.`);
	await cache.put("/", response.clone());
	const html = await response.text();
	const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]);
	await keep(assets);
}

async function keep(urls) {
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
async function openPage(request) {
	const cache = await caches.open(CACHE);
	const kept = await cache.match("/");
	const fresh = fetch(request).then(async (response) => {
		const isPage = response.ok && (response.headers.get("content-type") ?? "").includes("text/html");
		if (isPage) await cache.put("/", response.clone());
		return response;
	});
	if (kept === undefined) return fresh;
	const late = new Promise((resolve) => setTimeout(() => resolve(kept), NAVIGATION_TIMEOUT_MS));
	return Promise.race([fresh.catch(() => kept), late]);
}

/** Built files carry a hash in their name, so a kept one is never stale; the few others are refreshed behind the answer. */
async function fromCacheFirst(request, url) {
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

async function trim(cache) {
	const keys = await cache.keys();
	const surplus = keys.filter((key) => new URL(key.url).pathname !== "/").slice(0, Math.max(0, keys.length - MAX_ENTRIES));
	await Promise.all(surplus.map((key) => cache.delete(key)));
}

async function removeOldCaches() {
	const names = await caches.keys();
	await Promise.all(names.filter((name) => name.startsWith("rightseat-") && name !== CACHE).map((name) => caches.delete(name)));
}

function readPush(data) {
	try {
		return data?.json() ?? {};
	} catch {
		return { body: data?.text() };
	}
}

/** Silent when a page is looking at this very conversation. */
async function notify(push) {
	const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const visible = pages.filter((page) => page.visibilityState === "visible");
	const answers = await Promise.all(visible.map((page) => isLookingAt(page, push.conversationId)));
	if (answers.includes(true)) return;
	await self.registration.showNotification(push.title || "Rightseat", {
		body: push.body,
		// One notification per conversation: a newer one replaces the older.
		tag: push.tag || push.conversationId || "rightseat",
		renotify: true,
		icon: "/icon-192.png",
		badge: "/badge-96.png",
		data: { conversationId: push.conversationId },
	});
}

/** Asks the page itself: the address that a worker sees is the one the page was loaded with. */
function isLookingAt(page, conversationId) {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = (event) => resolve(event.data === true);
		setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS);
		page.postMessage({ type: "looking-at", conversationId }, [port2]);
	});
}

async function openConversation(conversationId) {
	const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
	const page = pages.find((candidate) => candidate.visibilityState === "visible") ?? pages[0];
	if (page === undefined) return self.clients.openWindow(pathOf(conversationId));
	page.postMessage({ type: "open-conversation", conversationId });
	return page.focus();
}

function pathOf(conversationId) {
	return conversationId === undefined ? "/" : `/c/${encodeURIComponent(conversationId)}`;
}
