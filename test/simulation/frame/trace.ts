/** What happened, line by line, and a number that is the same for the same lines. */
export interface Trace {
	note(line: string): void;
	/** The newest lines. */
	last(count: number): readonly string[];
	/** Of everything so far. */
	hash(): string;
}

/** So many lines are kept, unless all are. */
const KEPT_LINES = 400;

export function createTrace({ keepsAll = false } = {}): Trace {
	let lines: string[] = [];
	let [low, high] = [0x811c9dc5, 0x1b873593];
	return {
		note(line) {
			for (let at = 0; at < line.length; at += 1) {
				const code = line.charCodeAt(at);
				low = Math.imul(low ^ code, 0x01000193);
				high = Math.imul(high ^ code, 0x85ebca6b) ^ (low >>> 13);
			}
			lines.push(line);
			if (!keepsAll && lines.length > 2 * KEPT_LINES) lines = lines.slice(-KEPT_LINES);
		},
		last: (count) => lines.slice(-count),
		hash: () => `${(low >>> 0).toString(16).padStart(8, "0")}${(high >>> 0).toString(16).padStart(8, "0")}`,
	};
}
