export interface Mention {
	/** Index of the `@`. */
	start: number;
	/** Caret: end of what was typed so far. */
	end: number;
	query: string;
}

/** The `@word` that the caret stands in, if any. An `@` inside a word (a mail address) is not one. */
export function findMention(text: string, caret: number): Mention | undefined {
	const match = /(?:^|[\s(["'，。：；（「])@([^\s@"']{0,200})$/u.exec(text.slice(0, caret));
	const query = match?.[1];
	if (query === undefined) return undefined;
	return { start: caret - query.length - 1, end: caret, query };
}

/** Puts the chosen file in place of the mention; a path with spaces is quoted so that its end stays clear. */
export function insertMention(text: string, mention: Mention, path: string): { text: string; caret: number } {
	const name = /\s/u.test(path) ? `"${path}"` : path;
	const after = text.slice(mention.end);
	const gap = after.startsWith(" ") ? "" : " ";
	const before = `${text.slice(0, mention.start)}@${name}${gap}`;
	return { text: before + after, caret: before.length + (gap === "" ? 1 : 0) };
}
