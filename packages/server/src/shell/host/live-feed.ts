/** Output for people who watch: appended text only, a bounded piece at a time. */
export interface LiveFeed {
	push(text: string): void;
	/** So many characters will not be shown. */
	skip(chars: number): void;
	/** What to show now, or an empty text: everything until LIVE_FAST_CHARS were shown, then at most MAX_LIVE_CHARS. */
	take(now: number): string;
	/** Binary output is not shown. */
	silence(): void;
}

export const LIVE_INTERVAL_MS = 100;
export const MAX_LIVE_CHARS = 8_000;
/** From here on a watcher gets a piece a second: every piece is stored and sent to every reader. */
export const LIVE_FAST_CHARS = 256 * 1_024;
const SLOW_INTERVAL_MS = 1_000;

export function createLiveFeed(line: { pending(): string; rewrites(): number }): LiveFeed {
	let waiting: string[] = [];
	let waitingChars = 0;
	let skippedChars = 0;
	/** What of the unfinished line was shown already. */
	let shown = "";
	let shownAt = 0;
	let totalChars = 0;
	let silent = false;

	/** The beginning of a command's output is shown whole, however fast it comes; only a flood is cut. */
	const room = () => Math.max(MAX_LIVE_CHARS, LIVE_FAST_CHARS - totalChars);

	const dropOldest = () => {
		const text = waiting.join("");
		const kept = text.length > 2 * room() ? text.slice(-room()) : text;
		skippedChars += text.length - kept.length;
		waiting = [kept];
		waitingChars = kept.length;
	};

	/** Text that goes after what was shown; a rewritten line starts anew below the old one. */
	const after = (text: string) => {
		const end = text.indexOf("\n");
		const first = end < 0 ? text : text.slice(0, end);
		return first.startsWith(shown) ? text.slice(shown.length) : `\n${text}`;
	};

	const bounded = (text: string) => {
		if (skippedChars === 0 && text.length <= room()) return text.toWellFormed();
		const kept = text.slice(-(MAX_LIVE_CHARS - 60));
		return `\n... ${skippedChars + text.length - kept.length} characters not shown live ...\n${kept}`.toWellFormed();
	};

	return {
		push(text) {
			if (text === "" || silent) return;
			waiting.push(text);
			waitingChars += text.length;
			if (waitingChars > 2 * room() || waiting.length > 256) dropOldest();
		},
		skip(chars) {
			skippedChars += waitingChars + chars;
			waiting = [];
			waitingChars = 0;
		},
		take(now) {
			if (silent || (totalChars > LIVE_FAST_CHARS && now - shownAt < SLOW_INTERVAL_MS)) return "";
			const finished = waiting.join("");
			// A progress line that rewrites itself is shown once a second, not with every frame.
			const calm = line.rewrites() < 2 || now - shownAt >= SLOW_INTERVAL_MS;
			const pending = calm ? line.pending() : "";
			if (finished === "" && (!calm || pending === shown)) return "";
			const text = bounded(after(finished + pending));
			waiting = [];
			waitingChars = 0;
			skippedChars = 0;
			shown = pending;
			shownAt = now;
			totalChars += text.length;
			return text;
		},
		silence() {
			silent = true;
			waiting = [];
		},
	};
}
