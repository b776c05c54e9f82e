import { chooseLanguage, type Language, matchLanguage } from "../i18n/words.ts";

const LANGUAGE_PATH = "/kept-language";
const MAX_ENTRIES = 200;
const NAVIGATION_TIMEOUT_MS = 4_000;
const NEVER = ["/api/", "/ws", "/healthz", "/sw.js"];

/** The app shell on this device. Answers come from the server or from a copy; that a copy could not be made changes no answer. */
export interface ShellCache {
	/** Whether this address may be answered from here at all. */
	serves(pathname: string): boolean;
	/** Fetches the page and everything it names. */
	install(): Promise<void>;
	/** Keeps these files of our own for opening offline. */
	keep(urls: readonly string[]): Promise<void>;
	/** The newest page when the server answers soon, else the kept one: a phone on a bad line must not stare at white. */
	openPage(request: Request): Promise<Response>;
	/** Notifications come when no page is open to ask: the language is kept here. */
	rememberLanguage(language: Language): Promise<void>;
	/** The page's last language, else what the browser prefers. */
	language(preferred: readonly string[]): Promise<Language>;
	/** Built files carry a hash in their name, so a kept one is never stale; the few others are refreshed behind the answer. */
	fromCacheFirst(request: Request): Promise<Response>;
}

export function createShellCache(deps: { open: () => Promise<Cache>; fetch: typeof fetch; origin: string }): ShellCache {
	const { origin } = deps;

	async function put(cache: Cache, pathname: string, response: Response): Promise<void> {
		try {
			await cache.put(pathname, response);
		} catch (error) {
			// A full device: the answer itself is in hand, only opening offline is lost.
			console.warn(`${pathname} could not be kept for offline use.`, error);
		}
	}

	async function keep(urls: readonly string[]): Promise<void> {
		const cache = await deps.open();
		for (const url of urls.slice(0, MAX_ENTRIES)) {
			const { pathname, origin: from } = new URL(url, origin);
			if (from !== origin || pathname === "/" || !serves(pathname)) continue;
			if ((await cache.match(pathname)) !== undefined) continue;
			const response = await deps.fetch(pathname).catch(() => undefined);
			if (response?.ok) await put(cache, pathname, response);
		}
		await trim(cache);
	}

	return {
		serves,
		keep,
		async install() {
			const cache = await deps.open();
			const response = await deps.fetch("/", { cache: "no-store", credentials: "same-origin" });
			if (!response.ok) throw new DOMException(`The page answered ${response.status}.`, "NetworkError");
			await put(cache, "/", response.clone());
			const html = await response.text();
			await keep([...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].flatMap(([, path]) => path ?? []));
		},
		async openPage(request) {
			const cache = await deps.open();
			const kept = await cache.match("/");
			const fresh = deps.fetch(request).then(async (response) => {
				const isPage = response.ok && (response.headers.get("content-type") ?? "").includes("text/html");
				if (isPage) await put(cache, "/", response.clone());
				return response;
			});
			if (kept === undefined) return fresh;
			const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), NAVIGATION_TIMEOUT_MS));
			return Promise.race([fresh.catch(() => kept), late]);
		},
		rememberLanguage: async (language) => put(await deps.open(), LANGUAGE_PATH, new Response(language)),
		async language(preferred) {
			const kept = await (await (await deps.open()).match(LANGUAGE_PATH))?.text();
			return chooseLanguage({ search: "", choice: matchLanguage(kept ?? "") ?? "system", browser: preferred });
		},
		async fromCacheFirst(request) {
			const { pathname } = new URL(request.url);
			const cache = await deps.open();
			const kept = await cache.match(pathname);
			if (kept !== undefined && pathname.startsWith("/assets/")) return kept;
			const fresh = deps.fetch(request).then(async (response) => {
				if (response.status === 200) {
					await put(cache, pathname, response.clone());
					await trim(cache);
				}
				return response;
			});
			if (kept === undefined) return fresh;
			fresh.catch((error) => console.debug("Offline; the kept file is used.", error));
			return kept;
		},
	};
}

const serves = (pathname: string) => !NEVER.some((path) => pathname.startsWith(path));

async function trim(cache: Cache): Promise<void> {
	const keys = await cache.keys();
	const surplus = keys
		.filter((key) => !["/", LANGUAGE_PATH].includes(new URL(key.url).pathname))
		.slice(0, Math.max(0, keys.length - MAX_ENTRIES));
	await Promise.all(surplus.map((key) => cache.delete(key)));
}
