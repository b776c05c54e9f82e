/** What a page says to the service worker: keep these files for opening offline. */
export interface KeepMessage {
	type: "keep";
	urls: readonly string[];
}

export function isKeepMessage(data: unknown): data is KeepMessage {
	if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "keep" || !("urls" in data)) return false;
	return Array.isArray(data.urls) && data.urls.every((url) => typeof url === "string");
}

/** What the server sends with a push; every part may be missing. */
export interface Push {
	title?: string | undefined;
	body?: string | undefined;
	tag?: string | undefined;
	conversationId?: string | undefined;
}

export function readPush(data: unknown): Push {
	const fields = new Map<string, unknown>(typeof data === "object" && data !== null ? Object.entries(data) : []);
	function text(key: string): string | undefined {
		const value = fields.get(key);
		return typeof value === "string" && value !== "" ? value : undefined;
	}
	return { title: text("title"), body: text("body"), tag: text("tag"), conversationId: text("conversationId") };
}
