interface TrustedTypes {
	createPolicy(name: "default", rules: { createScriptURL(url: string): string | null }): unknown;
}

declare global {
	interface Window {
		/** Not in every browser; where it is, the page's policy demands it. */
		trustedTypes?: TrustedTypes;
	}
}

/**
 * Where the browser knows Trusted Types, text can become neither markup nor script anywhere in the page, in our code or a library's.
 * Only the addresses of our own workers pass.
 */
export function trustOwnScripts(browser: { location: { href: string; origin: string }; trustedTypes?: TrustedTypes }): void {
	browser.trustedTypes?.createPolicy("default", {
		createScriptURL(url) {
			const { origin, pathname } = new URL(url, browser.location.href);
			const own = origin === browser.location.origin && (pathname === "/sw.js" || /^\/assets\/[\w.-]+\.js$/.test(pathname));
			return own ? url : null;
		},
	});
}
