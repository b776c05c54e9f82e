import { execFileSync } from "node:child_process";
import { type BrowserContext, chromium } from "playwright-core";
import { findBrowser } from "../../scripts/lib/browser.mjs";
import { BROWSER_FLAGS } from "../support/browser.ts";
import { sendSignal } from "./send-signal.ts";

/** A Chromium with a profile of its own that can stand still, die, and be started again on what it kept. */
export interface BrowserProcess {
	readonly context: BrowserContext;
	/** The whole tree stands still, as on a laptop that sleeps. */
	freeze(): void;
	thaw(): void;
	/** SIGKILL to the whole tree. */
	kill(): Promise<void>;
	close(): Promise<void>;
}

export async function startBrowserProcess(profile: string): Promise<BrowserProcess> {
	const executablePath = findBrowser();
	if (executablePath === undefined) throw new Error("No Chromium found. npm test installs one; or set CHROMIUM_PATH.");
	const context = await chromium.launchPersistentContext(profile, {
		executablePath,
		headless: true,
		args: BROWSER_FLAGS,
		// A page that was left and came back is one of the faults.
		ignoreDefaultArgs: ["--disable-back-forward-cache"],
		locale: "en-US",
		viewport: { width: 1280, height: 800 },
	});
	// tsx wraps named functions in a helper of its own; functions that are handed to the page look for it there.
	await context.addInitScript({ content: "globalThis.__name ??= (named) => named;" });
	const closed = new Promise<void>((resolve) => context.once("close", () => resolve()));
	return {
		context,
		freeze: () => sendSignal(processesOf(profile), "SIGSTOP"),
		thaw: () => sendSignal(processesOf(profile), "SIGCONT"),
		async kill() {
			sendSignal(processesOf(profile), "SIGKILL");
			await closed;
		},
		close: () => context.close(),
	};
}

/** The process that was started with this profile, and everything below it. */
function processesOf(profile: string): number[] {
	const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
		.split("\n")
		.flatMap((line) => {
			const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
			return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
		});
	const found = new Set(rows.filter((row) => row.args.includes(`--user-data-dir=${profile}`)).map((row) => row.pid));
	for (let before = 0; before !== found.size; ) {
		before = found.size;
		for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
	}
	return [...found];
}
