/** A longer line is skipped up to its end and named. The longest that a real agent was seen to send has 1.2 MB. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Cuts bytes into lines. Invalid UTF-8 is replaced, a character that is split between two reads is not; empty lines are left out. */
export interface LineReader {
	push(bytes: Uint8Array): void;
	/** Bytes of the line that has not ended yet. */
	readonly waiting: number;
}

export function createLineReader(deps: {
	maxBytes?: number;
	onLine(line: string): void;
	/** Once for each line that is too long, as soon as it is. */
	onTooLong(): void;
}): LineReader {
	const maxBytes = deps.maxBytes ?? MAX_LINE_BYTES;
	let parts: Uint8Array[] = [];
	let waiting = 0;
	let isSkipping = false;

	function take(part: Uint8Array): void {
		if (isSkipping || part.length === 0) return;
		waiting += part.length;
		if (waiting <= maxBytes) {
			parts.push(part);
			return;
		}
		parts = [];
		waiting = 0;
		isSkipping = true;
		deps.onTooLong();
	}

	function end(): void {
		const bytes = parts.length === 1 ? parts[0] : Buffer.concat(parts);
		const line = isSkipping || bytes === undefined ? "" : new TextDecoder().decode(bytes).trim();
		parts = [];
		waiting = 0;
		isSkipping = false;
		if (line !== "") deps.onLine(line);
	}

	return {
		push(bytes) {
			let from = 0;
			for (let at = bytes.indexOf(NEWLINE, from); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
				take(bytes.subarray(from, at));
				end();
				from = at + 1;
			}
			take(bytes.subarray(from));
		},
		get waiting() {
			return waiting;
		},
	};
}

const NEWLINE = 0x0a;
