import { LANGUAGES, type Language } from "../i18n/words.ts";

/** What a page says to the service worker: keep these files for opening offline. */
export interface KeepMessage {
	type: "keep";
	urls: readonly string[];
}

export function isKeepMessage(data: unknown): data is KeepMessage {
	if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "keep" || !("urls" in data)) return false;
	return Array.isArray(data.urls) && data.urls.every((url) => typeof url === "string");
}

/** What a page says to the service worker: notifications are in this language from now on. */
export interface LanguageMessage {
	type: "language";
	language: Language;
}

export function isLanguageMessage(data: unknown): data is LanguageMessage {
	if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "language" || !("language" in data)) return false;
	return LANGUAGES.some((language) => language === data.language);
}

/** What the server sends with a push; every part may be missing. */
export interface Push {
	title?: string | undefined;
	body?: string | undefined;
	/** Which sentence `body` is, and its values, for saying it in another language. */
	code?: string | undefined;
	params: Readonly<Record<string, string>>;
	tag?: string | undefined;
	conversationId?: string | undefined;
	/** What of the inbox it is about. */
	item?: string | undefined;
	/** How much waits now. */
	count?: number | undefined;
}

export function readPush(data: unknown): Push {
	const fields = new Map<string, unknown>(typeof data === "object" && data !== null ? Object.entries(data) : []);
	function text(key: string): string | undefined {
		const value = fields.get(key);
		return typeof value === "string" && value !== "" ? value : undefined;
	}
	const values = fields.get("params");
	const params = Object.fromEntries(
		Object.entries(typeof values === "object" && values !== null ? values : {}).flatMap(([name, value]) =>
			typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
		),
	);
	const count = fields.get("count");
	return {
		...{ title: text("title"), body: text("body"), code: text("code"), params, tag: text("tag") },
		...{ conversationId: text("conversationId"), item: text("item"), count: typeof count === "number" ? count : undefined },
	};
}
