import { diffText, type Hunk } from "@rightseat/protocol/diff/hunks";
import type { ReviewHunks } from "@rightseat/protocol/http/git";
import { describe, type Pair, texts } from "./review.ts";

/** Lines of one file that are given at once. */
const MAX_REVIEW_LINES = 20_000;

/** What changed within one file; a file that cannot be compared line by line has no hunks. */
export function reviewHunks(pair: Pair, { ignoreWhitespace }: { ignoreWhitespace: boolean }): ReviewHunks | undefined {
	const file = describe(pair);
	const { before, after } = pair;
	if (file === undefined) return undefined;
	if (file.binary || before.kind === "large" || after.kind === "large") return { file, hunks: [] };
	const { hunks, coarse } = diffText(...texts(before, after), { ignoreWhitespace });
	let left = MAX_REVIEW_LINES;
	const shown = hunks.map(readable).filter(({ lines }) => {
		left -= lines.length;
		return left >= 0;
	});
	const missing = hunks.slice(shown.length).reduce((sum, { lines }) => sum + lines.length, 0);
	return { file, hunks: shown, ...(coarse ? { coarse } : {}), ...(missing > 0 ? { truncated: missing } : {}) };
}

/** Bytes become text only here, so that the ids stay those of the bytes. */
const readable = ({ changes: _, lines, ...hunk }: Hunk) => ({
	...hunk,
	lines: lines.map((line) => ({ ...line, text: shownText(line.text) })),
});
const shownText = (latin1: string) => Buffer.from(latin1, "latin1").toString("utf8");
