import { createStreamRedactor, REDACTED, redactForms, type StreamRedactor } from "./redact-stream.ts";

/** A value of ours is hidden in what people read if it has so many characters … */
const MIN_SECRET_CHARS = 16;
/** … or so many and looks random: with a digit and two of small letters, capitals, other characters. A dummy key such as `lm-studio` is a word. */
const MIN_RANDOM_CHARS = 8;
/** Values kept; the oldest is forgotten, such as a token that was replaced many times. */
export const MAX_SECRETS = 64;

/** Takes our own secrets out of text. One for the whole server: what it learns later holds everywhere at once. */
export interface Redactor {
	/** Exact values of ours, also as JSON, an address or base64 writes them. For everything that is shown, stored or sent to a model. */
	text(text: string): string;
	/** The same for every string in a value; the very same value when there was nothing to hide. */
	value<T>(value: T): T;
	/** For logs and errors: shorter values of ours too, and whatever looks like a token. */
	line(text: string): string;
	/** For text that comes in pieces: a secret that is split between them does not get out. */
	stream(): StreamRedactor;
	/** From now on this value is hidden. */
	hide(value: string | undefined): void;
}

export function createRedactor(secrets: readonly (string | undefined)[]): Redactor {
	let hidden: string[] = [];
	/** Longest first: a secret that begins with another one must not be left half visible. */
	let forms: string[] = [];
	let lineForms: string[] = [];

	function hide(value: string | undefined): void {
		if (value === undefined || value.length < MIN_RANDOM_CHARS) return;
		hidden = [...hidden.filter((known) => known !== value), value].slice(-MAX_SECRETS);
		forms = formsOf(hidden.filter(isTelling));
		lineForms = formsOf(hidden);
	}
	function text(source: string): string {
		return redactForms(source, forms);
	}
	function value<T>(source: T): T;
	function value(source: unknown): unknown {
		return forms.length === 0 ? source : mapStrings(source, text);
	}

	for (const secret of secrets) hide(secret);
	return {
		text,
		value,
		line: (source) => hideTokenShapes(redactForms(source, lineForms)),
		stream: () => createStreamRedactor(() => forms),
		hide,
	};
}

/** What looks like a token of somebody, ours or not. For logs and errors only: in a conversation people speak about such things. */
export function hideTokenShapes(text: string): string {
	let clean = text;
	for (const [pattern, replacement] of TOKEN_SHAPES) clean = clean.replace(pattern, replacement);
	return clean;
}

const TOKEN_SHAPES: readonly [RegExp, string][] = [
	[/gh[pousr]_[A-Za-z0-9]{16,}/g, REDACTED],
	[/github_pat_[A-Za-z0-9_]{16,}/g, REDACTED],
	[/\bsk-[A-Za-z0-9_-]{12,}/g, REDACTED],
	// In an address the bot token stands right behind "bot", with no boundary between.
	[/\d{5,12}:[A-Za-z0-9_-]{20,}/g, REDACTED],
	[/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
	[/([?#&](?:code|token|key)=)[^&\s"'\\]+/gi, `$1${REDACTED}`],
	[/(\b(?:set-)?cookie\\?"?\s*[:=]\s*\\?"?)[^"\\\n]+/gi, `$1${REDACTED}`],
	[/((?:api[-_]?key|access[-_]?token|secret|password)\\?["']?\s*[=:]\s*\\?["']?)[^\s"'&,;}\\[]{4,}/gi, `$1${REDACTED}`],
	[/(\w+:\/\/)[^\s/@:"]+:[^\s/@"]+@/g, `$1${REDACTED}@`],
];

function isTelling(value: string): boolean {
	if (value.length >= MIN_SECRET_CHARS) return true;
	const kinds = [/[a-z]/, /[A-Z]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(value));
	return /\d/.test(value) && kinds.length >= 2;
}

function formsOf(values: readonly string[]): string[] {
	const forms = values.flatMap((value) => [
		value,
		JSON.stringify(value).slice(1, -1),
		encodeURIComponent(value.toWellFormed()),
		base64(value),
	]);
	return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
	if (typeof value === "string") return map(value);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) {
		const items: unknown[] = value.map((item: unknown) => mapStrings(item, map));
		return items.some((item, index) => item !== value[index]) ? items : value;
	}
	const entries = Object.entries(value);
	const mapped = entries.map(([key, item]): [string, unknown] => [map(key), mapStrings(item, map)]);
	const changed = mapped.some(([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1]);
	return changed ? Object.fromEntries(mapped) : value;
}

function base64(value: string): string {
	return btoa(String.fromCharCode(...new TextEncoder().encode(value)));
}
