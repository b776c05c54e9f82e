import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PageHarness, startPage } from "../../support/page-harness.ts";

let ui: PageHarness;
beforeAll(async () => {
	ui = await startPage({ pilot: "demo" });
});
afterAll(() => ui.close());

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const real = (page: Page) => page.locator("#message");

/** A logged-in page whose code does not come before `release` is called. */
async function openSlowly(path = "/", storage: Record<string, string> = {}) {
	const opened = await ui.open("/healthz");
	await opened.page.evaluate((entries) => {
		for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
	}, storage);
	let release: () => void = () => undefined;
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	await opened.page.route(/\/assets\/.*\.js$/, async (route) => {
		await released;
		await route.continue();
	});
	await opened.page.goto(`${ui.server().url}${path}`, { waitUntil: "commit" });
	return { ...opened, release };
}

test("[PG110] what is written before the page's code has come goes on in the real box, with focus and caret", async () => {
	const { page, problems, release, close } = await openSlowly();
	await box(page).click();
	await page.keyboard.type("half a word");
	for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
	expect(await real(page).count()).toBe(0);
	release();
	await real(page).waitFor();
	expect(await box(page).count()).toBe(1);
	await page.keyboard.type("whole ");
	await expect.poll(() => real(page).inputValue()).toBe("half a whole word");
	expect(problems).toEqual([]);
	await close();
});

test("[PG110] Enter in the early box sends, once", async () => {
	const { page, release, close } = await openSlowly();
	await box(page).click();
	await page.keyboard.type("sent before anything was there");
	await page.keyboard.press("Enter");
	await page.keyboard.press("Enter");
	release();
	await page.waitForURL(/\/c\//);
	const log = page.getByRole("log", { name: "Conversation" });
	await log.getByText("sent before anything was there").first().waitFor();
	expect(await real(page).inputValue()).toBe("");
	const { conversations } = await (await ui.server().api("/api/conversations")).json();
	const { messages } = await (await ui.server().api(`/api/conversations/${conversations[0].id}/messages`)).json();
	const sent = messages.filter((message: { content: string }) => message.content === "sent before anything was there");
	expect(sent).toHaveLength(1);
	await close();
});

test("[PG110] a kept draft stands in the early box, and a word that is being composed is not torn apart", async () => {
	const drafts = JSON.stringify({ new: { text: "kept ", attachments: [], at: Date.now() } });
	const { page, release, close } = await openSlowly("/", { "rightseat:drafts": drafts });
	await expect.poll(() => box(page).inputValue()).toBe("kept ");
	await box(page).evaluate((element) => element.dispatchEvent(new CompositionEvent("compositionstart")));
	release();
	await page.getByRole("button", { name: "Send", exact: true }).waitFor({ state: "attached" });
	await box(page).first().fill("kept 中文");
	await page
		.locator("#early textarea")
		.evaluate((element) => element.dispatchEvent(new CompositionEvent("compositionend", { data: "中文" })));
	await expect.poll(() => real(page).inputValue()).toBe("kept 中文");
	expect(await box(page).count()).toBe(1);
	await close();
});

test("[PG112] what the browser itself remembers of the box takes the place of no draft, neither older words nor an empty box", async () => {
	for (const remembered of ["older words", ""]) {
		const { page, close } = await ui.open();
		await real(page).fill("typed and");
		await real(page).fill(remembered);
		// Another window goes on with the draft.
		await page.goto(`${ui.server().url}/healthz`);
		const drafts = JSON.stringify({ new: { text: "newer words", attachments: [], at: Date.now() } });
		await page.evaluate((kept) => localStorage.setItem("rightseat:drafts", kept), drafts);
		await page.goBack();
		await real(page).waitFor();
		expect(await real(page).inputValue(), remembered).toBe("newer words");
		await close();
	}
});

test("[PG113] a kept draft stays where the page's code comes before the script that shows it in the early box", async () => {
	const { page, close } = await ui.open("/healthz");
	const drafts = JSON.stringify({ new: { text: "kept", attachments: [], at: Date.now() } });
	await page.evaluate((kept) => localStorage.setItem("rightseat:drafts", kept), drafts);
	let release: () => void = () => undefined;
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.route(/\/boot\.js$/, async (route) => {
		await released;
		await route.continue();
	});
	await page.goto(ui.server().url, { waitUntil: "commit" });
	await real(page).waitFor({ state: "attached" });
	release();
	await real(page).waitFor();
	expect(await real(page).inputValue()).toBe("kept");
	await page.reload();
	await real(page).waitFor();
	expect(await real(page).inputValue()).toBe("kept");
	await close();
});

test("[PG110] in an address of a conversation the early words belong to that conversation", async () => {
	const { conversation } = await (await ui.server().api("/api/conversations", { method: "POST", json: {} })).json();
	const { page, release, close } = await openSlowly(`/c/${conversation.id}`);
	await box(page).fill("for this one");
	release();
	await expect.poll(() => real(page).inputValue()).toBe("for this one");
	await page
		.getByRole("link", { name: /New conversation/ })
		.or(page.getByRole("button", { name: "New conversation" }))
		.first()
		.click();
	await expect.poll(() => real(page).inputValue()).toBe("");
	await close();
});

test("[PG110] whose login ended meanwhile sees the login form, and goes on writing after it", async () => {
	const { page, release, close } = await openSlowly();
	await box(page).fill("not lost");
	await page.context().clearCookies();
	await page.evaluate("window.rightseatProbe = Promise.resolve('signed-out')");
	release();
	await page.getByLabel("Access token", { exact: true }).fill(ui.server().token);
	await page.getByRole("button", { name: "Log in", exact: true }).click();
	await expect.poll(() => real(page).inputValue()).toBe("not lost");
	await close();
});

test("[PG110] a stranger gets no box before the login form", async () => {
	const { page, close } = await ui.openStranger(ui.server().url);
	await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
	expect(await page.locator("#early").count()).toBe(0);
	await close();
});

test("[PG110] what was written before the code came is still there after a reload", async () => {
	const { page, release, close } = await openSlowly();
	// Nothing is painted before the boot script has run, so nobody can write before it; a test could.
	await page.locator("#early textarea[data-ready]").waitFor();
	await box(page).fill("reloaded too early");
	await page.reload({ waitUntil: "commit" });
	await expect.poll(() => box(page).inputValue()).toBe("reloaded too early");
	release();
	await real(page).waitFor();
	expect(await real(page).inputValue()).toBe("reloaded too early");
	await close();
});

test("[PG110] at no moment do two boxes answer to the same name", async () => {
	const { conversation } = await (await ui.server().api("/api/conversations", { method: "POST", json: {} })).json();
	const { page, close } = await ui.open("/healthz");
	await page.addInitScript(() => {
		const most = { boxes: 0 };
		Object.assign(window, { most });
		new MutationObserver(() => {
			most.boxes = Math.max(most.boxes, document.querySelectorAll("textarea[aria-label=Message]").length);
		}).observe(document, { subtree: true, childList: true });
	});
	await page.goto(`${ui.server().url}/c/${conversation.id}`);
	await real(page).waitFor();
	expect(await page.evaluate("window.most.boxes")).toBe(1);
	await close();
});

test("[PG110] an Enter that comes before any code sends, too", async () => {
	const { conversation } = await (await ui.server().api("/api/conversations", { method: "POST", json: {} })).json();
	const { page, close } = await ui.open("/healthz");
	let release: () => void = () => undefined;
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.route(/\/boot\.js$|\/assets\/.*\.js$/, async (route) => {
		await released;
		await route.continue();
	});
	await page.goto(`${ui.server().url}/c/${conversation.id}`, { waitUntil: "commit" });
	await page.locator("#early textarea").waitFor({ state: "attached" });
	// As if typed: nothing is drawn yet, so no key can be pressed here.
	await page.locator("#early textarea").evaluate((element) => Object.assign(element, { value: "pressed blindly\n" }));
	release();
	await page.getByRole("log", { name: "Conversation" }).getByText("pressed blindly", { exact: true }).first().waitFor();
	expect(await real(page).inputValue()).toBe("");
	await close();
});
