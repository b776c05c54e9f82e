/**
 * xterm writes its colours into `style` elements, which the page's CSP refuses. This stands in for the document, and
 * where xterm asks for a `style` element it gets a hidden one whose text becomes an adopted stylesheet, which the CSP allows.
 */
export function createStyleHost(real: Document): { document: Document; dispose: () => void } {
	const parts: { sheet: CSSStyleSheet; observer: MutationObserver }[] = [];

	const standIn = () => {
		const element = real.createElement("span");
		element.hidden = true;
		const sheet = new CSSStyleSheet();
		const observer = new MutationObserver(() => sheet.replaceSync(element.textContent ?? ""));
		observer.observe(element, { childList: true, characterData: true, subtree: true });
		real.adoptedStyleSheets = [...real.adoptedStyleSheets, sheet];
		parts.push({ sheet, observer });
		return element;
	};
	const createElement = (name: string) => (name.toLowerCase() === "style" ? standIn() : real.createElement(name));

	const document = new Proxy(real, {
		get(target, key) {
			if (key === "createElement") return createElement;
			const value: unknown = Reflect.get(target, key, target);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
	return {
		document,
		dispose() {
			const mine = new Set(parts.map(({ sheet }) => sheet));
			for (const { observer } of parts) observer.disconnect();
			real.adoptedStyleSheets = real.adoptedStyleSheets.filter((sheet) => !mine.has(sheet));
		},
	};
}
