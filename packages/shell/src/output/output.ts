import { StringDecoder } from "node:string_decoder";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { createBinarySniffer } from "./binary-sniffer.ts";
import { createLiveFeed } from "./live-feed.ts";
import { boundText, type TextParts } from "./model-text.ts";
import { createNewTextReader, type NewText } from "./new-text.ts";
import type { OutputFile } from "./output-file.ts";
import { createRawTail, resyncOffset } from "./raw-tail.ts";
import { createSavedOutput } from "./saved-output.ts";
import { createTerminalText } from "./terminal-text.ts";
import { createTextWindow } from "./text-window.ts";

/** The output of one command: decoded, cleaned, bounded in memory, whole on disk up to a cap. */
export interface Output {
	/** Takes what it needs of the chunk before it returns. */
	push(chunk: Buffer): void;
	/** No more bytes will come. Twice is fine. */
	end(): void;
	readonly totalBytes: number;
	/** Beginning and end within `limit` characters, with a marker for what is left out. */
	view(limit: number): string;
	/** Only the beginning. */
	head(limit: number): { text: string; truncated: boolean };
	/** What nobody was given by `NewText.take` yet. */
	newText(): NewText;
	/** What is held in memory, for searching. */
	held(): TextParts;
	tail(chars: number): string;
	/** Where to find what a view leaves out. */
	hint(): string;
	/** What a watcher has not seen yet; a bounded piece. */
	takeLive(now: number): string;
	/** Keeps less in memory, for commands that have ended. */
	compact(): void;
}

export const HEAD_CHARS = 65_536;
const TAIL_CHARS = 131_072;
/** Beyond this only the newest bytes are looked at: cleaning what nobody will read would take ten times as long as reading it. */
export const EXACT_BYTES = 8 * 1_048_576;
const RAW_TAIL_BYTES = 3 * TAIL_CHARS;
const ENDED_HEAD_CHARS = 16_384;
const ENDED_TAIL_CHARS = 32_768;

export function createOutput(openFile: () => OutputFile | undefined): Output {
	const decoder = new StringDecoder("utf8");
	const terminal = createTerminalText();
	const window = createTextWindow({ headChars: HEAD_CHARS, tailChars: TAIL_CHARS });
	const live = createLiveFeed(terminal);
	const rawTail = createRawTail(RAW_TAIL_BYTES);
	const sniffer = createBinarySniffer();
	const saved = createSavedOutput(openFile);
	const reader = createNewTextReader();
	let totalBytes = 0;

	function take(text: string): void {
		window.push(text);
		live.push(text);
	}
	function flush(): void {
		take(terminal.write(decoder.end()));
		take(terminal.end());
	}
	/** Looks at what was only held so far. */
	function catchUp(): void {
		const { bytes, dropped } = rawTail.take();
		if (bytes.length === 0) return;
		let start = 0;
		if (dropped > 0) {
			flush();
			start = resyncOffset(bytes);
			window.skip(dropped + start);
			live.skip(dropped + start);
		}
		take(terminal.write(decoder.write(bytes.subarray(start))));
	}
	function parts(): TextParts {
		catchUp();
		const found = window.parts();
		return { ...found, end: found.end + terminal.pending() };
	}
	const binaryNotice = () => `[binary output, ${totalBytes} bytes${saved.hint()}]`;

	return {
		push(chunk) {
			totalBytes += chunk.length;
			sniffer.push(chunk);
			live.silence(sniffer.isBinary);
			saved.push(chunk);
			// Decided for good: nobody will read it as text, so it need not be looked at.
			if (sniffer.isBinary && sniffer.isDecided) saved.save();
			else if (totalBytes > EXACT_BYTES) rawTail.push(chunk);
			else take(terminal.write(decoder.write(chunk)));
		},
		end() {
			catchUp();
			flush();
			if (sniffer.isBinary) saved.save();
			saved.close();
		},
		get totalBytes() {
			return totalBytes;
		},
		view: (limit) => (sniffer.isBinary ? binaryNotice() : boundText(parts(), limit, saved.hint()).text),
		head(limit) {
			if (sniffer.isBinary) return { text: binaryNotice(), truncated: false };
			const { begin, gapChars, end } = parts();
			const text = gapChars === 0 ? begin + end : begin;
			return { text: cutText(text, limit), truncated: gapChars > 0 || text.length > limit };
		},
		newText() {
			if (sniffer.isBinary) return reader.readNotice(binaryNotice(), totalBytes);
			catchUp();
			return reader.read(window, terminal.pending());
		},
		held: () => (sniffer.isBinary ? { begin: "", gapChars: 0, end: binaryNotice() } : parts()),
		tail: (chars) => (sniffer.isBinary ? binaryNotice() : cutTextTail(parts().end, chars)),
		hint: saved.hint,
		takeLive(now) {
			catchUp();
			return live.take(now);
		},
		compact: () => window.compact(ENDED_HEAD_CHARS, ENDED_TAIL_CHARS),
	};
}
