/** The page may run its own scripts only, turn no text into markup or script, load nothing from elsewhere and be framed by nobody. */
const PAGE_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"font-src 'self'",
	"media-src 'self' blob:",
	"connect-src 'self'",
	"manifest-src 'self'",
	"worker-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types default",
].join("; ");

/** A file from a chat: shown or saved, never run. */
export const ATTACHMENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** A conversation as a file that is looked at here: text, its own style and its own pictures; a link opens a page of its own. */
export const EXPORT_POLICY =
	"default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'none'";

/** The page of a guest: text and its own style. It asks again by itself, which a sandbox would not let it. */
export const WATCH_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const COMMON = {
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"x-frame-options": "DENY",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=(), publickey-credentials-get=(self)",
	"x-robots-tag": "noindex",
};

/** Headers of every answer; `strict`: nothing but TLS under this name from now on. No `Access-Control-Allow-*` exists anywhere. */
export function securityHeaders(strict: boolean): Record<string, string> {
	return {
		...COMMON,
		"content-security-policy": PAGE_POLICY,
		...(strict ? { "strict-transport-security": "max-age=31536000" } : {}),
	};
}
