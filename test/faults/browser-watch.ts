import { CONNECTED, examineStatus } from "./browser-examiner.ts";
import type { BrowserPage } from "./browser-page.ts";
import { wait } from "./wait.ts";

/** A lost connection is named this soon when the page is told of the loss. */
export const TOLD_NOTICE_MS = 5_000;
/** And this soon when the network only falls silent. */
export const SILENT_NOTICE_MS = 10_000;
/** The page waits up to 30 s between two attempts, and a handshake may hang for 8 s. */
export const RETURN_MS = 40_000;
/** Between the page's change and our hearing of it, on a busy machine. */
const HEARING_MS = 400;

/** Watches the page through an outage: it must name its state in time, and come back without a click. */
export async function watchOutage(
	page: BrowserPage,
	outage: { noticeMs: number; cause: () => Promise<void> | void; heal: () => Promise<void> | void },
): Promise<void> {
	const from = Date.now();
	await outage.cause();
	const noticeMs = outage.noticeMs + HEARING_MS;
	const lost = () => page.sights.some((sight) => sight.at >= from && sight.words !== CONNECTED && sight.words !== "");
	for (const limit = from + noticeMs + 1_000; Date.now() < limit && !lost(); ) await wait(50);
	await outage.heal();
	const healed = Date.now();
	const back = () => page.sights.some((sight) => sight.at >= healed && sight.words === CONNECTED);
	for (const limit = healed + RETURN_MS; Date.now() < limit && lost() && !back(); ) await wait(50);
	page.findings.push(...examineStatus(page.sights, { from, healed, noticeMs, returnMs: RETURN_MS }));
}

/** The reader looks at something in the middle; what comes back tells whether it stayed in its place. */
export async function lookAtTheMiddle(page: BrowserPage): Promise<() => Promise<void>> {
	const { tab } = page;
	const place = (key: string) =>
		tab.evaluate((wanted) => document.querySelector(`.log-content > [data-key="${wanted}"]`)?.getBoundingClientRect().top, key);
	const key = await tab.evaluate(async () => {
		const log = document.querySelector('[role="log"]');
		if (log === null || log.scrollHeight < log.clientHeight * 1.5) return "";
		log.scrollTop = Math.max(0, log.scrollHeight - log.clientHeight * 2);
		// The page hears of scrolling with the next frame.
		for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
		const top = log.getBoundingClientRect().top;
		const row = [...log.querySelectorAll(".log-content > [data-key]")].find((each) => each.getBoundingClientRect().bottom > top);
		return row?.getAttribute("data-key") ?? "";
	});
	const before = key === "" ? undefined : await place(key);
	return async () => {
		const after = before === undefined ? undefined : await place(key);
		if (before !== undefined && (after === undefined || Math.abs(after - before) > 2))
			page.findings.push(`What the reader looked at moved by ${Math.round((after ?? Number.NaN) - before)} pixels.`);
		await tab.evaluate(() => document.querySelector<HTMLElement>(".jump")?.click());
	};
}
