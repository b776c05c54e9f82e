import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type BrowserProcess, startBrowserProcess } from "./browser-process.ts";
import { readRows, type ShownRow } from "./browser-rows.ts";
import { watchStatus } from "./browser-status.ts";
import { wait } from "./wait.ts";

/** What the page said about its connection, and when it began to say so. */
export interface StatusSight {
	at: number;
	words: string;
}

/** The real page in a real browser, behind the bad network: one more sender and one more reader of the conversation. */
export interface BrowserPage {
	/** The tab; a crash or a restart of the browser replaces it. */
	readonly tab: Page;
	readonly process: BrowserProcess;
	/** Prompts that were typed and left the box, in order; commands begin with `!`. */
	readonly typed: string[];
	/** What a fault saw while it lasted. */
	readonly findings: string[];
	/** Everything the tab said about its connection since it was opened. */
	readonly sights: readonly StatusSight[];
	/** Types into the message box and presses Enter. */
	say(text: string): Promise<void>;
	rows(): Promise<ShownRow[]>;
	/** What the page says about its connection now. */
	status(): Promise<string>;
	/** Another tab of the same person on the same conversation. */
	secondTab(): Promise<Page>;
	/** A new tab in the same browser; the old one is gone. */
	reopen(): Promise<void>;
	/** The browser is killed with everything in it, and started again on the same profile. */
	killAndStart(between?: () => void): Promise<void>;
	close(): Promise<void>;
}

export async function createBrowserPage(options: { url: string; login: () => Promise<string> }): Promise<BrowserPage> {
	const profile = mkdtempSync(join(tmpdir(), "rightseat-profile-"));
	const typed: string[] = [];
	const findings: string[] = [];
	const sights: StatusSight[] = [];
	const session = await options.login();
	let process = await start();
	let tab = await process.context.newPage();
	await show(tab);

	async function start(): Promise<BrowserProcess> {
		const started = await startBrowserProcess(profile);
		await watchStatus(started.context, (page, words) => {
			if (page === tab) sights.push({ at: Date.now(), words });
		});
		const expires = Date.now() / 1_000 + 86_400;
		// A killed browser may not have written its cookies yet; the login is not what is tested here.
		const cookies = session.split("; ").map((pair) => {
			const at = pair.indexOf("=");
			const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), domain: "127.0.0.1", path: "/", expires };
			return { ...cookie, httpOnly: true, secure: false, sameSite: "Strict" as const };
		});
		await started.context.addCookies(cookies);
		return started;
	}

	async function show(page: Page): Promise<void> {
		page.on("pageerror", (error) => findings.push(`The page threw: ${error.message}`));
		await page.goto(options.url, { waitUntil: "commit" });
	}

	return {
		typed,
		findings,
		sights,
		get tab() {
			return tab;
		},
		get process() {
			return process;
		},
		async say(text) {
			await sayIn(tab, text);
			typed.push(text);
		},
		rows: () => tab.evaluate(readRows),
		status: () => tab.locator("header").getByRole("status").innerText({ timeout: 5_000 }),
		async secondTab() {
			const page = await process.context.newPage();
			await show(page);
			return page;
		},
		async reopen() {
			const old = tab;
			tab = await process.context.newPage();
			await show(tab);
			await old.close();
		},
		async killAndStart(between) {
			await process.kill();
			between?.();
			process = await start();
			tab = await process.context.newPage();
			await show(tab);
		},
		async close() {
			await process.close();
			// Chromium's helpers write for a moment after it has said that it ended.
			await wait(200);
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** Types into the message box of a tab, presses Enter and sees the text leave the box. */
export async function sayIn(tab: Page, text: string): Promise<void> {
	const box = tab.getByRole("textbox", { name: "Message", exact: true });
	await box.fill(text);
	await box.press("Enter");
	await tab.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#message")?.value === "");
}
