// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPage } from "./create-page.ts";

/** A browser's socket whose other end is the test. */
class PageSocket extends EventTarget {
	static opened: PageSocket[] = [];
	sent: string[] = [];
	constructor() {
		super();
		PageSocket.opened.push(this);
	}
	send(text: string) {
		this.sent.push(text);
	}
	close() {
		this.dispatchEvent(new Event("close"));
	}
	open() {
		this.dispatchEvent(new Event("open"));
	}
	types(): string[] {
		return this.sent.map((text) => String(JSON.parse(text).type));
	}
}

beforeEach(() => {
	PageSocket.opened = [];
	vi.stubGlobal("WebSocket", PageSocket);
	vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ conversations: [], models: [], default: "" })));
});
afterEach(() => vi.unstubAllGlobals());

async function startedPage(): Promise<PageSocket> {
	createPage().start();
	const socket = await vi.waitUntil(() => PageSocket.opened.at(-1));
	socket.open();
	await vi.waitUntil(() => socket.sent.length > 0);
	return socket;
}

test("[PG206] an opened connection asks which conversations are answering", async () => {
	const socket = await startedPage();
	expect(socket.types()).toContain("copilot:status");
});

test("[PG1] the browser's word that the page is visible reaches the connection: it pings at once", async () => {
	const socket = await startedPage();
	socket.sent = [];
	document.dispatchEvent(new Event("visibilitychange"));
	expect(socket.types()).toContain("ping");
	socket.sent = [];
	window.dispatchEvent(new Event("pageshow"));
	expect(socket.types()).toContain("ping");
});
