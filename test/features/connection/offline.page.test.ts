import { afterAll, beforeAll, expect, test } from "vitest";
import { keptForOffline, messagesOnDevice } from "../../support/kept-on-device.ts";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo", wholeBrowser: true });
});
afterAll(() => ui.close());

test("[PG86] the page opens offline with the last conversations readable, and a prompt written there is sent later", async () => {
	const { page, close } = await ui.open();
	await page.getByRole("textbox", { name: "Message" }).fill("!echo kept-for-offline");
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("kept-for-offline", { exact: true }).first().waitFor();
	await keptForOffline(page);
	// What was read is written to the device a moment after it was shown.
	await expect.poll(() => page.evaluate(messagesOnDevice), { timeout: 20_000 }).toContain("kept-for-offline");
	await page.context().setOffline(true);
	await page.reload();
	await page.getByRole("log", { name: "Conversation" }).getByText("kept-for-offline", { exact: true }).first().waitFor();
	await page
		.getByRole("list", { name: "Conversations" })
		.getByRole("link", { name: /kept-for-offline/ })
		.waitFor();
	await page.getByRole("textbox", { name: "Message" }).fill("!echo written-offline");
	await page.keyboard.press("Enter");
	await page.getByText("1 message waits on this device").waitFor();
	await page.context().setOffline(false);
	await page.getByText("1 message waits on this device").waitFor({ state: "detached" });
	await page.getByRole("log", { name: "Conversation" }).getByText("written-offline", { exact: true }).first().waitFor();
	await close();
});

test("[SE115] a device that was thrown out keeps nothing to read, also not offline", async () => {
	const { page, close } = await ui.open();
	await page.getByRole("textbox", { name: "Message" }).fill("!echo for-the-owner-only");
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("for-the-owner-only", { exact: true }).first().waitFor();
	await keptForOffline(page);
	await expect.poll(() => page.evaluate(messagesOnDevice), { timeout: 20_000 }).toContain("for-the-owner-only");
	await page.getByRole("textbox", { name: "Message" }).fill("an unsent draft");
	const current = await page.evaluate(async () => {
		const { sessions } = await (await fetch("/api/sessions")).json();
		return String(sessions.find((session: { current: boolean }) => session.current).id);
	});
	expect((await ui.server().api(`/api/sessions/${current}`, { method: "DELETE" })).status).toBe(204);
	await page.getByRole("textbox", { name: "Access token" }).waitFor();
	await expect.poll(() => page.evaluate(messagesOnDevice).catch(() => "busy"), { timeout: 20_000 }).toBe("[]");
	const notes = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key !== "rightseat:settings"));
	await expect.poll(() => notes().catch(() => ["busy"]), { timeout: 20_000 }).toEqual([]);
	await page.context().setOffline(true);
	// With the files for offline use gone the browser may have nothing to show at all.
	await page.reload().catch(() => undefined);
	expect(await page.locator("body").innerText()).not.toContain("for-the-owner-only");
	await close();
});

test("[SE116] a login that is over takes no unsent prompt along: it is sent after the next login", async () => {
	const { page, close } = await ui.open();
	await page.getByRole("textbox", { name: "Message" }).fill("!echo before-the-end");
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("before-the-end", { exact: true }).first().waitFor();
	await page.context().setOffline(true);
	await page.getByRole("textbox", { name: "Message" }).fill("!echo written-without-a-login");
	await page.keyboard.press("Enter");
	await page.getByText("1 message waits on this device").waitFor();
	await page.context().clearCookies();
	await page.context().setOffline(false);
	await page.getByRole("textbox", { name: "Access token" }).waitFor();
	await expect.poll(() => page.evaluate(messagesOnDevice), { timeout: 20_000 }).toBe("[]");
	await page.getByRole("textbox", { name: "Access token" }).fill(ui.server().token);
	await page.keyboard.press("Enter");
	await page.getByRole("log", { name: "Conversation" }).getByText("written-without-a-login", { exact: true }).first().waitFor();
	await close();
});

test("[PG86] the page can be installed, and nothing of the API is kept in its cache", async () => {
	const { page, close } = await ui.open();
	await keptForOffline(page);
	const manifest: unknown = await (await page.request.get(`${ui.server().url}/manifest.webmanifest`)).json();
	expect(manifest).toMatchObject({ name: "Rightseat", display: "standalone", start_url: "/" });
	const icons = JSON.stringify(manifest).match(/\/icon[\w-]*\.(?:png|svg)/g) ?? [];
	for (const icon of new Set(icons)) expect((await page.request.get(ui.server().url + icon)).status()).toBe(200);
	const kept = await page.evaluate(async () =>
		(await (await caches.open("rightseat-shell-1")).keys()).map(({ url }) => new URL(url).pathname),
	);
	expect(kept.filter((path) => path.startsWith("/api") || path === "/healthz")).toEqual([]);
	await close();
});

test("[PG87] a push names its conversation and opens it, and is silent when a page looks at it", async () => {
	const response = await ui.server().api("/api/conversations", { method: "POST", json: { title: "Tell me" } });
	const id = /"id":"([\w-]+)"/.exec(await response.text())?.[1] ?? "";
	const { page, close } = await ui.open("/", { permissions: ["notifications"] });
	await keptForOffline(page);
	const worker = page.context().serviceWorkers()[0];
	if (worker === undefined) throw new Error("There is no service worker.");
	const push = async (conversationId: string) => {
		await worker.evaluate(
			([json]) => {
				const event = new Event("push");
				const work: Promise<unknown>[] = [];
				Object.assign(event, { data: { json: () => JSON.parse(json ?? "{}") }, waitUntil: (done: Promise<unknown>) => work.push(done) });
				globalThis.dispatchEvent(event);
				return Promise.all(work).then(() => undefined);
			},
			[JSON.stringify({ title: "Tell me", body: "The answer is ready.", conversationId, tag: conversationId })],
		);
		return page.evaluate(async () =>
			(await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag }) => ({ title, body, tag })),
		);
	};
	expect(await push(id)).toEqual([{ title: "Tell me", body: "The answer is ready.", tag: id }]);

	await worker.evaluate(
		([conversationId]) => {
			const event = new Event("notificationclick");
			const work: Promise<unknown>[] = [];
			const notification = { close: () => undefined, data: { conversationId } };
			Object.assign(event, { notification, waitUntil: (done: Promise<unknown>) => work.push(done) });
			globalThis.dispatchEvent(event);
			// Focusing a window needs a real click; opening the conversation does not.
			return Promise.allSettled(work).then(() => undefined);
		},
		[id],
	);
	await page.waitForURL(`**/c/${id}`);

	await page.bringToFront();
	await page.evaluate(async () => {
		for (const notification of await (await navigator.serviceWorker.ready).getNotifications()) notification.close();
	});
	expect(await push(id)).toEqual([]);
	await close();
});
