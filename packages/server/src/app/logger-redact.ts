/** Replaces what must not be written: given values exactly, and whatever looks like a token. */
export interface Redactor {
	(line: string): string;
	/** From now on this value is hidden too. Short values are not: they would hide ordinary words. */
	hide(value: string): void;
}

const HIDDEN = "[redacted]";
const MIN_SECRET_CHARS = 8;

const TOKEN_PATTERNS: readonly [RegExp, string][] = [
	[/gh[pousr]_[A-Za-z0-9]{16,}/g, HIDDEN],
	[/github_pat_[A-Za-z0-9_]{20,}/g, HIDDEN],
	[/\bsk-[A-Za-z0-9_-]{16,}/g, HIDDEN],
	// In an address the bot token stands right behind "bot", with no boundary between.
	[/\d{6,12}:[A-Za-z0-9_-]{30,}/g, HIDDEN],
	[/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
	[/([?#&](?:code|token|key)=)[^&\s"'\\]+/gi, `$1${HIDDEN}`],
	[/(\b(?:set-)?cookie\\?"?\s*[:=]\s*\\?"?)[^"\\\n]+/gi, `$1${HIDDEN}`],
];

export function createRedactor(secrets: readonly string[]): Redactor {
	let hidden: string[] = [];
	const hide = (value: string) => {
		if (value.length < MIN_SECRET_CHARS || hidden.includes(value)) return;
		// Longest first, so that a secret that contains another one goes as a whole; JSON text escapes some characters.
		hidden = [...hidden, value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].sort((a, b) => b.length - a.length);
	};
	for (const secret of secrets) hide(secret);
	const redact = (line: string) => {
		let clean = line;
		for (const value of hidden) clean = clean.replaceAll(value, HIDDEN);
		for (const [pattern, replacement] of TOKEN_PATTERNS) clean = clean.replace(pattern, replacement);
		return clean;
	};
	return Object.assign(redact, { hide });
}
