import type { TextParts } from "./model-text.ts";

/** What a reader has not been given yet. */
export interface NewText {
	/** Finished lines and what is there of the last one. */
	all: TextParts;
	/** Finished lines only. */
	lines: TextParts;
	/** Counts as given from now on; the result takes that back. */
	take(what: "all" | "lines"): () => void;
}

/** Remembers what was given, so that no text is given twice. */
export interface NewTextReader {
	/** Of text: the finished lines so far, and the line that is still being written. */
	read(finished: { since(offset: number): TextParts; readonly totalChars: number }, pending: string): NewText;
	/** Of output that is not shown: a notice, new whenever bytes have come. */
	readNotice(notice: string, totalBytes: number): NewText;
}

export function createNewTextReader(): NewTextReader {
	/** Where the text begins that was not given yet, and what of the unfinished line behind it was. */
	let given = { offset: 0, ofLine: "", bytes: 0 };

	function giveBack(before: typeof given): () => void {
		return () => {
			given = before;
		};
	}

	return {
		read(finished, pending) {
			const fresh = finished.since(given.offset);
			const offset = finished.totalChars;
			const isSameLine = fresh.gapChars === 0 && fresh.end === "";
			return {
				all: without(given.ofLine, { ...fresh, end: fresh.end + pending }),
				lines: without(given.ofLine, fresh),
				take(what) {
					const before = given;
					const ofLine = what === "all" ? pending : isSameLine ? given.ofLine : "";
					given = { ...given, offset, ofLine };
					return giveBack(before);
				},
			};
		},
		readNotice(notice, totalBytes) {
			const parts = { begin: "", gapChars: 0, end: totalBytes === given.bytes ? "" : notice };
			return {
				all: parts,
				lines: parts,
				take() {
					const before = given;
					given = { ...given, bytes: totalBytes };
					return giveBack(before);
				},
			};
		},
	};
}

/** A line that was rewritten since is other text than what was given of it. */
function without(givenOfLine: string, parts: TextParts): TextParts {
	if (parts.gapChars > 0 || !parts.end.startsWith(givenOfLine)) return parts;
	return { ...parts, end: parts.end.slice(givenOfLine.length) };
}
