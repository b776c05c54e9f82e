import { expect, test } from "vitest";
import { translator } from "../../i18n/words.ts";
import { commentWords } from "./comment-messages.ts";
import { commentPrompt } from "./comment-prompt.ts";
import {
	createCommentStore,
	type LineComment,
	MAX_COMMENT_CHARS,
	MAX_COMMENTED,
	MAX_COMMENTS,
	MAX_SNIPPET_CHARS,
} from "./comment-store.ts";
import { mapLines } from "./map-lines.ts";

function memory() {
	const kept = new Map<string, string>();
	return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
}
const comment = (patch: Partial<LineComment> = {}): LineComment => ({
	id: "1",
	changeId: "t1",
	path: "src/a.ts",
	side: "new",
	from: 3,
	to: 4,
	snippet: "a\nb",
	text: "Why?",
	...patch,
});

test("[PG530] comments stay on the device per conversation, bounded, and none is lost to a newer one", () => {
	const storage = memory();
	let now = 0;
	const store = createCommentStore(storage, () => ++now);
	store.save("c1", [comment({ text: "x".repeat(MAX_COMMENT_CHARS + 9), snippet: "y".repeat(MAX_SNIPPET_CHARS + 9) })]);
	const [kept] = createCommentStore(storage, () => 0).list("c1");
	expect([kept?.text.length, kept?.snippet.length]).toEqual([MAX_COMMENT_CHARS, MAX_SNIPPET_CHARS]);
	const many = Array.from({ length: MAX_COMMENTS + 1 }, (_, index) => comment({ id: String(index) }));
	expect([store.save("c1", many), store.list("c1").length]).toEqual([false, 1]);
	for (let index = 0; index < MAX_COMMENTED; index++) store.save(`other-${index}`, [comment()]);
	expect([store.list("c1").length, store.list("other-0").length]).toEqual([0, 1]);
	store.save("other-0", []);
	expect(store.list("other-0")).toEqual([]);
	storage.setItem("rightseat:comments", "{damaged");
	expect(store.list("other-1")).toEqual([]);
});

test("[PG531] comments become one prompt with path, lines and snippet, whatever is in the snippet", () => {
	const t = translator(commentWords, "en");
	const fenced = comment({ id: "2", path: "README.md", side: "old", from: 1, to: 1, snippet: "```sh\nls\n```", text: "Keep this." });
	expect(commentPrompt([comment(), fenced], new Set(["2"]), t)).toBe(
		[
			"Please address these 2 comments on the changes:",
			"1. src/a.ts, lines 3–4\n```ts\na\nb\n```\nWhy?",
			"2. README.md, line 1 of the version before (removed)\n(These lines have changed since the comment was written; this is how they were.)\n````md\n```sh\nls\n```\n````\nKeep this.",
		].join("\n\n"),
	);
});

test("[PG532] lines are followed into a later text, and count as gone when they or their neighbours among them changed", () => {
	const before = "a\nb\nc\nd\n";
	expect(mapLines(before, `new\n${before}`, { from: 2, to: 3 })).toEqual({ from: 3, to: 4 });
	expect(mapLines(before, "a\nb\nX\nd\n", { from: 2, to: 3 })).toBeUndefined();
	expect(mapLines(before, "a\nb\nbetween\nc\nd\n", { from: 2, to: 3 })).toBeUndefined();
	expect(mapLines(before, before, { from: 4, to: 4 })).toEqual({ from: 4, to: 4 });
});
