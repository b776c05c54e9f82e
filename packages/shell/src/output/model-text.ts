import { countNewlines } from "./text-window.ts";

/** A text of which only the beginning and the end are at hand. */
export interface TextParts {
	begin: string;
	/** Characters between `begin` and `end`. */
	gapChars: number;
	/** Unknown when the reader had seen part of them already, or when nobody looked at them. */
	gapNewlines?: number;
	end: string;
}

/** Beginning and end of a text within `limit` characters; the middle is named as left out. Well-formed. */
export function boundText(parts: TextParts, limit: number, hint: string): { text: string; omittedChars: number } {
	const whole = parts.begin + parts.end;
	if (parts.gapChars === 0 && whole.length <= limit) return { text: whole.toWellFormed(), omittedChars: 0 };
	const begin = parts.gapChars === 0 ? whole : parts.begin;
	const end = parts.gapChars === 0 ? whole : parts.end;
	const room = limit - MARKER_CHARS - RESERVE_CHARS - hint.length;
	const first = upToLineEnd(begin.slice(0, Math.floor(room / 3)));
	const last = fromLineStart(end.slice(-(room - Math.floor(room / 3))));
	const omittedChars = whole.length + parts.gapChars - first.length - last.length;
	const known = parts.gapChars === 0 ? 0 : parts.gapNewlines;
	const lines = known === undefined ? "" : ` (${countNewlines(whole) + known - countNewlines(first) - countNewlines(last)} lines)`;
	const marker = `${first === "" || first.endsWith("\n") ? "" : "\n"}... ${known === undefined ? "about " : ""}${omittedChars} characters${lines} left out here${hint} ...\n`;
	return { text: (first + marker + last).toWellFormed(), omittedChars };
}

const MARKER_CHARS = 80;
/** A text that must be cut anyway leaves room for what is said about it; one that fits is never cut for that. */
const RESERVE_CHARS = 900;
/** A cut moves to the nearest line end only if little is lost by it. */
const LINE_SLACK_CHARS = 2_000;

function upToLineEnd(text: string): string {
	const end = text.lastIndexOf("\n");
	return end >= 0 && text.length - end <= LINE_SLACK_CHARS ? text.slice(0, end + 1) : wholeCharacters(text);
}

function fromLineStart(text: string): string {
	const start = text.indexOf("\n");
	return start >= 0 && start < LINE_SLACK_CHARS && start < text.length - 1 ? text.slice(start + 1) : wholeCharacters(text);
}

/** Drops half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
	const first = text.charCodeAt(0);
	const last = text.charCodeAt(text.length - 1);
	return text.slice(first >= 0xdc00 && first <= 0xdfff ? 1 : 0, last >= 0xd800 && last <= 0xdbff ? -1 : undefined);
}
