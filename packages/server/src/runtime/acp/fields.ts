/** The fields of something that came from outside; none when it is no object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A text from outside, or undefined; half a character in it is replaced, because some programs hang on it. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value.toWellFormed() : undefined);

/** A text with something in it. */
export const wordOf = (value: unknown): string | undefined => textOf(value)?.trim() || undefined;

export const numberOf = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
