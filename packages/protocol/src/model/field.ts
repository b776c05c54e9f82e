/** One field of a value whose shape nobody knows yet; undefined when it has none. Only its own fields: never what a prototype brings. */
export function fieldOf(value: unknown, name: string): unknown {
	if (typeof value !== "object" || value === null) return undefined;
	return Object.getOwnPropertyDescriptor(value, name)?.value;
}
