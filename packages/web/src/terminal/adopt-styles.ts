/**
 * xterm keeps its colours in `style` elements, which the page's CSP refuses. While `build` runs, whoever asks the document
 * for a `style` element gets a hidden one whose text, now and later, becomes an adopted stylesheet; those the CSP allows.
 */
export function adoptStyles(page: Document, build: () => void): { dispose: () => void } {
	const parts: { sheet: CSSStyleSheet; observer: MutationObserver }[] = [];
	const create = page.createElement.bind(page);

	const standIn = () => {
		const element = create("span");
		element.hidden = true;
		const sheet = new CSSStyleSheet();
		const observer = new MutationObserver(() => sheet.replaceSync(element.textContent ?? ""));
		observer.observe(element, { childList: true, characterData: true, subtree: true });
		page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
		parts.push({ sheet, observer });
		return element;
	};
	const value = (name: string) => (name.toLowerCase() === "style" ? standIn() : create(name));
	Object.defineProperty(page, "createElement", { value, configurable: true });
	try {
		build();
	} finally {
		Reflect.deleteProperty(page, "createElement");
	}
	return {
		dispose() {
			const mine = new Set(parts.map(({ sheet }) => sheet));
			for (const { observer } of parts) observer.disconnect();
			page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !mine.has(sheet));
		},
	};
}
