import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Less than half as long as what axe would send to the page by itself, and the same. */
const AXE = readFileSync(
	createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
	"utf8",
);

/** The rules that the colours of a theme decide. */
const COLOUR_RULES = ["color-contrast"];

export interface Examined {
	/** A selector; the whole page without one. */
	part?: string;
	/** Only the colours differ between the themes, so the dark one is examined for them alone. */
	theme?: "light" | "dark";
}

/** What can be opened and looks like any other line: axe does not see that there is no mark before it. */
export const unmarkedFolds = (page: Page): Promise<string[]> =>
	page.evaluate(() =>
		[...document.querySelectorAll("summary")]
			.filter((summary) => {
				const { display, listStyleType } = getComputedStyle(summary);
				const hasMarker = display === "list-item" && listStyleType !== "none";
				return summary.checkVisibility() && !hasMarker && summary.querySelector("svg") === null;
			})
			.map(({ textContent }) => textContent),
	);

/** What axe finds that keeps someone from using the page, once nothing moves any more. */
export async function seriousFindings(page: Page, { part, theme = "light" }: Examined = {}): Promise<string[]> {
	await page.evaluate(() => {
		const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
		return Promise.allSettled(ending.map((animation) => animation.finished)).then(() => undefined);
	});
	// In the page itself: axe would else hand every result to a second page that it opens, which takes longer than the examination. We have no frame of another origin.
	// Its code is long, so a page that has it already is not given it again.
	const there = await page.evaluate(() => "axe" in globalThis);
	const axe = new AxeBuilder({ page, axeSource: there ? ";" : AXE }).options({ resultTypes: ["violations"] }).setLegacyMode();
	if (part !== undefined) axe.include(part);
	if (theme === "dark") axe.withRules(COLOUR_RULES);
	const { violations } = await axe.analyze();
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`));
}
