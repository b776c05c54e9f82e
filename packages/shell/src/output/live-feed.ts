import { cutText, cutTextTail } from "@rightseat/protocol/text";

/** Output for people who watch: appended text only, a bounded piece at a time. */
export interface LiveFeed {
	push(text: string): void;
	/** So many characters will not be shown. */
	skip(chars: number): void;
	/** What to show now, or an empty text: everything until LIVE_FAST_CHARS were shown, then at most MAX_LIVE_CHARS. */
	take(now: number): string;
	/** Binary output is not shown; what turns out to be text is. */
	silence(silent: boolean): void;
}

export const LIVE_INTERVAL_MS = 100;
export const MAX_LIVE_CHARS = 8_000;
/** From here on a watcher gets a piece a second: every piece is stored and sent to every reader. */
export const LIVE_FAST_CHARS = 256 * 1_024;
const SLOW_INTERVAL_MS = 1_000;
/** Of a piece that is cut, so much is its beginning: a flood begins with its first lines, not with what came last. */
const BEGIN_CHARS = 4_000;
const MARKER_CHARS = 60;

export function createLiveFeed(line: { pending(): string; rewrites(): number }): LiveFeed {
	let waiting: string[] = [];
	let waitingChars = 0;
	/** The beginning of what waits, once something behind it was dropped. */
	let begin: string | undefined;
	let skippedChars = 0;
	/** What of the unfinished line was shown already. */
	let shown = "";
	let shownAt = 0;
	let totalChars = 0;
	let silent = false;

	/** The beginning of a command's output is shown whole, however fast it comes; only a flood is cut. */
	const room = () => Math.max(MAX_LIVE_CHARS, LIVE_FAST_CHARS - totalChars);

	function dropMiddle(keepChars: number): void {
		const text = waiting.join("");
		const isNew = begin === undefined;
		begin ??= cutText(text, BEGIN_CHARS);
		const rest = isNew ? text.slice(begin.length) : text;
		const kept = keepChars === 0 ? "" : cutTextTail(rest, keepChars);
		skippedChars += rest.length - kept.length;
		waiting = [kept];
		waitingChars = kept.length;
	}

	/** Text that goes after what was shown; a rewritten line starts anew below the old one. */
	function after(text: string): string {
		const end = text.indexOf("\n");
		const first = end < 0 ? text : text.slice(0, end);
		return first.startsWith(shown) ? text.slice(shown.length) : `\n${text}`;
	}

	function bounded(text: string): string {
		if (begin === undefined && text.length <= room()) return after(text).toWellFormed();
		const from = begin ?? cutText(text, BEGIN_CHARS);
		const rest = begin === undefined ? text.slice(from.length) : text;
		const first = from.slice(0, from.lastIndexOf("\n") + 1) || from;
		const shownFirst = after(first);
		const last = cutTextTail(rest, MAX_LIVE_CHARS - MARKER_CHARS - BEGIN_CHARS);
		const left = skippedChars + from.length - first.length + rest.length - last.length;
		return `${shownFirst}${first.endsWith("\n") ? "" : "\n"}... ${left} characters not shown live ...\n${last}`.toWellFormed();
	}

	return {
		push(text) {
			if (text === "") return;
			waiting.push(text);
			waitingChars += text.length;
			if (waitingChars > 2 * room()) dropMiddle(room());
			else if (waiting.length > 256) waiting = [waiting.join("")];
		},
		skip(chars) {
			dropMiddle(0);
			skippedChars += chars;
		},
		take(now) {
			if (silent || (totalChars > LIVE_FAST_CHARS && now - shownAt < SLOW_INTERVAL_MS)) return "";
			const finished = waiting.join("");
			// A progress line that rewrites itself is shown once a second, not with every frame.
			const calm = line.rewrites() < 2 || now - shownAt >= SLOW_INTERVAL_MS;
			const pending = calm ? line.pending() : "";
			if (finished === "" && begin === undefined && (!calm || pending === shown)) return "";
			const text = bounded(finished + pending);
			waiting = [];
			waitingChars = 0;
			skippedChars = 0;
			begin = undefined;
			shown = pending;
			shownAt = now;
			totalChars += text.length;
			return text;
		},
		silence(on) {
			silent = on;
		},
	};
}
