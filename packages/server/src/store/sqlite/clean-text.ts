/**
 * Text as it may be stored: U+0000 ends a string in some SQLite bindings and half a surrogate pair has no UTF-8 form,
 * so either would come back different from what was saved.
 */
export function cleanText(text: string): string {
	return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

/** JSON text of a value with every string in it cleaned. */
export function cleanJson(value: NonNullable<unknown>): string {
	const json = JSON.stringify(value);
	if (!/\\u(0000|d[89a-f])/i.test(json)) return json;
	return JSON.stringify(value, (_key, item: unknown) => (typeof item === "string" ? cleanText(item) : item));
}
