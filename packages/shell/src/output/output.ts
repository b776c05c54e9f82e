import { StringDecoder } from "node:string_decoder";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { createLiveFeed } from "./live-feed.ts";
import { boundText, type TextParts } from "./model-text.ts";
import { createRawTail, resyncOffset } from "./raw-tail.ts";
import type { SpillFile } from "./spill-file.ts";
import { createCleaner } from "./terminal-text.ts";
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

export interface NewText {
	/** Finished lines and what is there of the last one. */
	all: TextParts;
	/** Finished lines only. */
	lines: TextParts;
	/** Counts as given from now on; the result takes that back. */
	take(what: "all" | "lines"): () => void;
}

export const HEAD_CHARS = 65_536;
const TAIL_CHARS = 131_072;
/** Longer output may not fit into what the model gets, so it needs a file. */
export const SPILL_AFTER_BYTES = 28_000;
/** Beyond this only the newest bytes are looked at: cleaning what nobody will read would take ten times as long as reading it. */
export const EXACT_BYTES = 8 * 1_048_576;
const RAW_TAIL_BYTES = 3 * TAIL_CHARS;
const SAMPLE_BYTES = 8_192;
const ENDED_HEAD_CHARS = 16_384;
const ENDED_TAIL_CHARS = 32_768;

export function createOutput(openSpill: () => SpillFile | undefined): Output {
	const decoder = new StringDecoder("utf8");
	const cleaner = createCleaner();
	const window = createTextWindow({ headChars: HEAD_CHARS, tailChars: TAIL_CHARS });
	const live = createLiveFeed({ pending: cleaner.pending, rewrites: cleaner.rewrites });
	const rawTail = createRawTail(RAW_TAIL_BYTES);
	let totalBytes = 0;
	let sample = Buffer.alloc(0);
	let binary = false;
	/** Raw bytes until it is known whether a file is needed; undefined from then on. */
	let backlog: Buffer[] | undefined = [];
	let spill: SpillFile | undefined;
	/** Where the text begins that was not given yet, and what of the unfinished line behind it was. */
	let readOffset = 0;
	let givenOfLine = "";
	let givenBytes = 0;

	const startSpill = () => {
		if (backlog === undefined) return;
		spill = openSpill();
		for (const chunk of backlog) spill?.write(chunk);
		backlog = undefined;
	};
	const take = (text: string) => {
		window.push(text);
		live.push(text);
	};
	const flush = () => {
		take(cleaner.write(decoder.end()));
		take(cleaner.end());
	};
	/** Looks at what was only held so far. */
	const catchUp = () => {
		const { bytes, dropped } = rawTail.take();
		if (bytes.length === 0) return;
		let start = 0;
		if (dropped > 0) {
			flush();
			start = resyncOffset(bytes);
			window.skip(dropped + start);
			live.skip(dropped + start);
		}
		take(cleaner.write(decoder.write(bytes.subarray(start))));
	};
	const parts = () => {
		catchUp();
		const found = window.parts();
		return { ...found, end: found.end + cleaner.pending() };
	};
	const checkSample = (chunk: Buffer) => {
		if (sample.length >= SAMPLE_BYTES) return;
		sample = Buffer.concat([sample, chunk.subarray(0, SAMPLE_BYTES - sample.length)]);
		binary = looksBinary(sample);
		live.silence(binary);
	};
	/** Decided for good: nobody will read it as text, so it need not be looked at. */
	const isBinaryForGood = () => binary && sample.length >= SAMPLE_BYTES;
	const hint = () => {
		if (spill === undefined || spill.bytes === 0) return backlog === undefined ? "; it could not be saved to a file" : "";
		return spill.cut === undefined ? `; full output: ${spill.path}` : `; the first ${spill.bytes} bytes: ${spill.path}`;
	};
	const binaryNotice = () => `[binary output, ${totalBytes} bytes${hint()}]`;
	const bounded = (text: TextParts, limit: number) => (binary ? binaryNotice() : boundText(text, limit, hint()).text);

	const newNotice = (notice: string): NewText => {
		const parts = { begin: "", gapChars: 0, end: notice };
		return {
			all: parts,
			lines: parts,
			take() {
				const before = givenBytes;
				givenBytes = totalBytes;
				return () => {
					givenBytes = before;
				};
			},
		};
	};

	return {
		push(chunk) {
			totalBytes += chunk.length;
			checkSample(chunk);
			if (backlog === undefined) spill?.write(chunk);
			else {
				backlog.push(Buffer.from(chunk));
				if (totalBytes > SPILL_AFTER_BYTES || isBinaryForGood()) startSpill();
			}
			if (isBinaryForGood()) return;
			if (totalBytes > EXACT_BYTES) rawTail.push(chunk);
			else take(cleaner.write(decoder.write(chunk)));
		},
		end() {
			catchUp();
			flush();
			if (binary) startSpill();
			spill?.close();
		},
		get totalBytes() {
			return totalBytes;
		},
		view: (limit) => bounded(parts(), limit),
		head(limit) {
			if (binary) return { text: binaryNotice(), truncated: false };
			const { begin, gapChars, end } = parts();
			const text = gapChars === 0 ? begin + end : begin;
			return { text: cutText(text, limit), truncated: gapChars > 0 || text.length > limit };
		},
		newText() {
			if (binary) return newNotice(totalBytes === givenBytes ? "" : binaryNotice());
			catchUp();
			const fresh = window.since(readOffset);
			const upTo = window.totalChars;
			const pending = cleaner.pending();
			// A line that was rewritten since is other text than what was given of it.
			const without = (parts: TextParts) =>
				parts.gapChars === 0 && parts.end.startsWith(givenOfLine) ? { ...parts, end: parts.end.slice(givenOfLine.length) } : parts;
			const isSameLine = fresh.gapChars === 0 && fresh.end === "";
			return {
				all: without({ ...fresh, end: fresh.end + pending }),
				lines: without(fresh),
				take(what) {
					const before = { readOffset, givenOfLine };
					readOffset = upTo;
					if (what === "all") givenOfLine = pending;
					else if (!isSameLine) givenOfLine = "";
					return () => {
						({ readOffset, givenOfLine } = before);
					};
				},
			};
		},
		held: () => (binary ? { begin: "", gapChars: 0, end: binaryNotice() } : parts()),
		tail(chars) {
			return binary ? binaryNotice() : cutTextTail(parts().end, chars);
		},
		hint,
		takeLive(now) {
			catchUp();
			return live.take(now);
		},
		compact: () => window.compact(ENDED_HEAD_CHARS, ENDED_TAIL_CHARS),
	};
}

/** Mostly not text. A few odd bytes, text in another encoding or one cut inside a character stay text. */
function looksBinary(sample: Buffer): boolean {
	const text = sample.toString("utf8");
	const odd = text.match(/[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]/g)?.length ?? 0;
	return odd * 10 > text.length * 3;
}
