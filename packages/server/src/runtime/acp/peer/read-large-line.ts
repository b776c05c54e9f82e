/** A large line, read. `isCut`: it held more than is taken over, and the rest is left out. */
export type LargeLine = { kind: "read"; value: unknown; isCut: boolean } | { kind: "too-many" } | { kind: "failed" };

export interface LargeLineBounds {
	/** Values of a line that is parsed at all: each takes memory far beyond its bytes, up to a few hundred of them. */
	maxValues: number;
	/** Values that are handed on: taking them over holds the thread that serves the sockets. */
	keptValues: number;
	/** Characters of one text that are handed on, for the same reason. */
	keptChars: number;
}

export const MAX_VALUES = 500_000;
export const KEPT_VALUES = 50_000;
/** Twice what a whole turn may hold: a text of this length ends its turn as too large, so that nothing is lost that could be shown. */
export const KEPT_CHARS = 8 * 1024 * 1024;

/** Reads one line. Uses nothing outside of its body: it is handed to a thread as text. */
export function createLargeLineReader(
	parseLine: (line: string, accepts: (text: string) => boolean) => unknown,
	{ maxValues, keptValues, keptChars }: LargeLineBounds,
): (bytes: Uint8Array) => LargeLine {
	/** At least as many as there are: each but the first follows a comma or an opening bracket. */
	function countValues(text: string): number {
		const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];
		let count = 1;
		let isQuoted = false;
		for (let at = 0; at < text.length; at += 1) {
			const code = text.charCodeAt(at);
			if (code === quote) isQuoted = !isQuoted;
			else if (isQuoted) at += code === backslash ? 1 : 0;
			else if (code === comma || code === bracket || code === brace) count += 1;
		}
		return count;
	}

	/**
	 * Takes away, level by level from the top, what is beyond the bounds: what a message says about itself stands above what it carries.
	 * True when there was something.
	 */
	function cut(value: unknown): boolean {
		const found: unknown[] = [value];
		let left = keptValues;
		let isCut = false;
		// The walk goes on into what it adds.
		for (const item of found) {
			if (typeof item !== "object" || item === null) continue;
			const entries: [string, unknown][] = Object.entries(item);
			isCut ||= entries.length > left;
			if (Array.isArray(item)) item.length = Math.min(item.length, left);
			else for (const [key] of entries.slice(left)) Reflect.deleteProperty(item, key);
			for (const [key, inner] of entries.slice(0, left)) {
				found.push(inner);
				if (typeof inner !== "string" || inner.length <= keptChars) continue;
				Reflect.set(item, key, inner.slice(0, keptChars));
				isCut = true;
			}
			left = Math.max(0, left - entries.length);
		}
		return isCut;
	}

	return (bytes) => {
		let count = 0;
		const value = parseLine(new TextDecoder().decode(bytes).trim(), (text) => {
			count = countValues(text);
			return count <= maxValues;
		});
		if (count > maxValues) return { kind: "too-many" };
		return { kind: "read", value, isCut: (count > keptValues || bytes.length > keptChars) && cut(value) };
	};
}
