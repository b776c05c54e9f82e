export type Redact = (text: string) => string;

/** Shorter values would blot out ordinary words. */
const MIN_SECRET_CHARS = 8;
export const REDACTED = "[redacted]";

/** Replaces exactly these secret values wherever they appear in a text, also as JSON or an address would escape them. */
export function createRedactor(secrets: readonly (string | undefined)[]): Redact {
	const known = new Set<string>();
	for (const secret of secrets) {
		if (secret === undefined || secret.length < MIN_SECRET_CHARS) continue;
		known.add(secret);
		known.add(JSON.stringify(secret).slice(1, -1));
		known.add(encodeURIComponent(secret));
		known.add(Buffer.from(secret, "utf8").toString("base64"));
	}
	// Longest first: a secret that begins with another one must not be left half visible.
	const ordered = [...known].sort((a, b) => b.length - a.length);
	if (ordered.length === 0) return (text) => text;
	return (text) => ordered.reduce((result, secret) => result.replaceAll(secret, REDACTED), text);
}
