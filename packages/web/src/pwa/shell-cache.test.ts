import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createShellCache } from "./shell-cache.ts";

const ORIGIN = "https://rightseat.example";
let warn: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
	warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
});
afterEach(() => warn.mockRestore());

/** A device of which only this much is known: what it has kept, and whether anything more fits. */
function device({ full }: { full: boolean }) {
	const kept = new Map<string, Response>();
	const cache: Cache = {
		match: async (path) => kept.get(String(path))?.clone(),
		async put(path, response) {
			if (full) throw new DOMException("There is no space left.", "QuotaExceededError");
			kept.set(String(path), response);
		},
		keys: async () => [...kept.keys()].map((path) => new Request(ORIGIN + path)),
		delete: async (key) => kept.delete(key instanceof Request ? new URL(key.url).pathname : String(key)),
		...{ add: async () => undefined, addAll: async () => undefined, matchAll: async () => [] },
	};
	const fetched = async () => new Response("fresh", { headers: { "content-type": "text/html" } });
	return { kept, shell: createShellCache({ open: async () => cache, fetch: fetched, origin: ORIGIN }) };
}
const get = (path: string) => new Request(ORIGIN + path);

test("[PG304] on a full device every file and page that the server answers is shown", async () => {
	const { shell } = device({ full: true });
	expect(await (await shell.fromCacheFirst(get("/assets/panel-1.js"))).text()).toBe("fresh");
	expect(await (await shell.openPage(get("/c/1"))).text()).toBe("fresh");
	await shell.keep(["/assets/panel-1.js"]);
	expect(warn).toHaveBeenCalledTimes(3);
});

test("[PG304] on a full device with an old copy the server's page still wins over it", async () => {
	const { shell, kept } = device({ full: true });
	kept.set("/", new Response("old"));
	expect(await (await shell.openPage(get("/"))).text()).toBe("fresh");
});

test("[PG323] the language of the page is kept for notifications; without one the browser's is used", async () => {
	const { shell } = device({ full: false });
	expect(await shell.language(["zh-TW", "en"])).toBe("zh-Hant");
	await shell.rememberLanguage("en");
	expect(await shell.language(["zh-TW"])).toBe("en");
	const { shell: full } = device({ full: true });
	await full.rememberLanguage("en");
	expect(await full.language(["zh-TW"])).toBe("zh-Hant");
});

test("[PG323] the language stays when older files give way to newer ones", async () => {
	const { shell, kept } = device({ full: false });
	await shell.rememberLanguage("zh-Hant");
	for (let file = 0; file < 250; file += 1) kept.set(`/assets/${file}.js`, new Response(""));
	await shell.keep(["/assets/newest.js"]);
	expect([kept.size, await shell.language(["en"])]).toEqual([200, "zh-Hant"]);
});

test("[PG86] built files are kept and come from the device, and nothing under /api is ever served from it", async () => {
	const { shell, kept } = device({ full: false });
	kept.set("/assets/a-1.js", new Response("kept"));
	expect(await (await shell.fromCacheFirst(get("/assets/a-1.js"))).text()).toBe("kept");
	await shell.keep(["/assets/b-2.js", "/api/status", "/sw.js", "https://elsewhere.example/x.js"]);
	expect([...kept.keys()]).toEqual(["/assets/a-1.js", "/assets/b-2.js"]);
	expect([shell.serves("/api/status"), shell.serves("/ws"), shell.serves("/assets/a-1.js")]).toEqual([false, false, true]);
});
