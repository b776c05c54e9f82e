import type { ToolDiff } from "@rightseat/protocol/model/turn";
import { cutText } from "@rightseat/protocol/text";

/** The first files with the beginning of their texts, up to about `maxChars` characters together. */
export function previewDiffs(diffs: readonly ToolDiff[], maxChars: number): ToolDiff[] {
	const kept: ToolDiff[] = [];
	let left = maxChars;
	function take(text: string): string {
		const part = cutText(text, Math.max(0, left));
		left -= part.length;
		return part;
	}
	for (const { path, oldText, newText } of diffs) {
		if (left <= 0) break;
		left -= DIFF_CHARS;
		kept.push({ path: take(path), ...(oldText === undefined ? {} : { oldText: take(oldText) }), newText: take(newText) });
	}
	return kept;
}

/** What an entry costs beside its texts. */
const DIFF_CHARS = 40;
