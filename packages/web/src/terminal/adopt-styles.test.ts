// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { adoptStyles } from "./adopt-styles.ts";

afterEach(() => {
	document.body.replaceChildren();
});

test("[PG75] styles that the terminal writes reach the page without a style element, and go with it", async () => {
	const before = document.adoptedStyleSheets.length;
	let made: HTMLElement | undefined;
	const { dispose } = adoptStyles(document, () => {
		made = document.createElement("style");
		document.body.append(made, document.createElement("p"));
	});
	if (made === undefined) throw new Error("nothing was made");
	made.textContent = ".xterm { color: red }";
	await vi.waitFor(() => expect(document.adoptedStyleSheets.at(-1)?.cssRules[0]?.cssText).toContain("color: red"), { timeout: 15_000 });
	expect(document.querySelectorAll("style")).toHaveLength(0);
	expect(document.createElement("style").tagName).toBe("STYLE");
	dispose();
	expect(document.adoptedStyleSheets).toHaveLength(before);
});
