/** What an agent wrote to its standard error: the end of it, however much there was. */
export interface OutputTail {
	push(bytes: Uint8Array): void;
	/** The last whole lines, at most `maxChars`; of a longer last line its end. */
	text(maxChars?: number): string;
	/** Bytes kept. */
	readonly size: number;
}

export const MAX_TAIL_BYTES = 64 * 1024;

export function createOutputTail(maxBytes = MAX_TAIL_BYTES): OutputTail {
	let kept = Buffer.alloc(0);
	return {
		push(bytes) {
			// A copy: a slice would keep the whole chunk alive.
			const joined = Buffer.concat([kept, bytes.subarray(-maxBytes)]);
			kept = joined.length > maxBytes ? Buffer.from(joined.subarray(-maxBytes)) : joined;
		},
		text(maxChars = 400) {
			const clean = new TextDecoder().decode(kept).replace(ESCAPES, "").trim();
			const end = clean.slice(-maxChars);
			// A line that was cut begins in the middle of a word; the ones after it are whole.
			const whole = end.length < clean.length ? end.slice(end.indexOf("\n") + 1) : end;
			return whole.toWellFormed();
		},
		get size() {
			return kept.length;
		},
	};
}

/** Colours and other control sequences. */
const ESCAPES = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g;
