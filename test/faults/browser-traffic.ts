import type { Message } from "@rightseat/protocol/model/message";
import { examinePage } from "./browser-examiner.ts";
import type { BrowserPage } from "./browser-page.ts";
import type { History } from "./history.ts";
import type { Random } from "./random.ts";
import { wait } from "./wait.ts";

/** The page draws what came at most a few times a second, and reads its device first after a reload. */
const SHOW_LIMIT_MS = 15_000;

/** The person at the browser says something: mostly a prompt, sometimes a command. Nothing without a browser. */
export async function browserSays(page: BrowserPage | undefined, random: Random, id: string): Promise<void> {
	const command = random.next() < 0.35;
	await page?.say(command ? `!echo typed-${id} >> ran.log; seq 1 40` : `typed-${id}`);
}

/** Why the page is not at rest, or nothing. */
export async function browserRestlessness(page: BrowserPage | undefined): Promise<string> {
	const open = (await page?.rows())?.find((row) => row.state === "busy" || row.state === "waiting");
	return open === undefined ? "" : `the browser's page shows "${open.text.slice(-80)}" as ${open.state}`;
}

/** What the page shows in peace against what is stored, and what the faults of this round saw. */
export async function examineBrowser(
	page: BrowserPage | undefined,
	messages: readonly Message[],
	history: Pick<History, "mayBeLost">,
): Promise<string[]> {
	if (page === undefined) return [];
	const typed = page.typed.splice(0).map((text) => ({ text, mayBeLost: history.mayBeLost.size > 0 }));
	const limit = Date.now() + SHOW_LIMIT_MS;
	for (;;) {
		const findings = examinePage({ rows: await page.rows(), status: await page.status(), typed }, messages);
		if (findings.length === 0 || Date.now() > limit) return [...page.findings.splice(0), ...findings];
		await wait(200);
	}
}
