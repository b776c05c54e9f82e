import { visibleCommand } from "@rightseat/protocol/visible-command";
import type { Translate } from "../../i18n/words.ts";
import { languageOf } from "../language-of.ts";
import type { CommentWord } from "./comment-messages.ts";
import type { LineComment } from "./comment-store.ts";

/** All comments as one prompt: where, the lines, what was said; `stale` ones say that their lines have changed since. */
export function commentPrompt(comments: readonly LineComment[], stale: ReadonlySet<string>, t: Translate<CommentWord>): string {
	const parts = comments.map((comment, index) => {
		const note = stale.has(comment.id) ? `\n${t("promptStale")}` : "";
		const fence = "`".repeat(Math.max(3, longestFence(comment.snippet) + 1));
		return `${index + 1}. ${whereOf(comment, t)}${note}\n${fence}${languageOf(comment.path)}\n${comment.snippet}\n${fence}\n${comment.text}`;
	});
	return [t("promptHead", { count: comments.length }), ...parts].join("\n\n");
}

/** Path and lines of a comment. */
export function whereOf({ path, side, from, to }: LineComment, t: Translate<CommentWord>): string {
	const lines = from === to ? t("line", { from }) : t("lines", { from, to });
	return t(side === "old" ? "atRemoved" : "at", { path: visibleCommand(path), lines });
}

const longestFence = (text: string) => (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
