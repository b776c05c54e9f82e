/** How much of something is kept: of its running text, of any other text in it, and of its lists. */
export interface PreviewLevel {
	text: number;
	field: number;
	items: number;
}

/** Each half of the one before, down to almost nothing. */
const LEVELS: readonly PreviewLevel[] = Array.from({ length: 18 }, (_, step) => ({
	text: 131_072 >> step,
	field: 8_192 >> step,
	items: 1_024 >> step,
}));

/** The value, or as much of it as has at most `maxBytes` as JSON. `cut` keeps the shape and must get smaller with every level. */
export function fit<T>(value: T, maxBytes: number, cut: (value: T, level: PreviewLevel) => T): T {
	let fitting = value;
	for (const level of LEVELS) {
		if (jsonBytes(fitting) <= maxBytes) return fitting;
		fitting = cut(value, level);
	}
	return fitting;
}

/** The newest of a list, each as much as fits. */
export function fitList<T>(items: readonly T[], maxBytes: number, cut: (item: T, level: PreviewLevel) => T): T[] {
	return fit<T[]>([...items], maxBytes, (all, level) => newest(all, level.items).map((item) => cut(item, level)));
}

/** The last `count` of a list; all of them when it has no more. */
export function newest<T>(items: readonly T[], count: number): T[] {
	return items.slice(Math.max(0, items.length - count));
}

/** How large this is on the wire. */
export function jsonBytes(value: unknown): number {
	return Buffer.byteLength(JSON.stringify(value) ?? "");
}
