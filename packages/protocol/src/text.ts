/** The first `max` UTF-16 units, one fewer where a character of two units would be split; what has no other half becomes U+FFFD. */
export function cutText(text: string, max: number): string {
	return (text.length > max && isPair(text, max) ? text.slice(0, max - 1) : text.slice(0, max)).toWellFormed();
}

/** The last `max` UTF-16 units, cut by the same rule. */
export function cutTextTail(text: string, max: number): string {
	const from = Math.max(0, text.length - max);
	return text.slice(isPair(text, from) ? from + 1 : from).toWellFormed();
}

/** Do the units before and at `index` make one character? */
function isPair(text: string, index: number): boolean {
	const before = text.charCodeAt(index - 1);
	const at = text.charCodeAt(index);
	return before >= 0xd800 && before <= 0xdbff && at >= 0xdc00 && at <= 0xdfff;
}
