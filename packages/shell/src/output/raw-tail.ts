/** The newest bytes of a flood, not looked at until somebody asks. */
export interface RawTail {
	/** Copies the chunk. */
	push(chunk: Buffer): void;
	/** What is held, and how many bytes were dropped before it since the last time. */
	take(): { bytes: Buffer; dropped: number };
}

export function createRawTail(maxBytes: number): RawTail {
	/** A ring, made when it is first needed; making buffers for every read costs more than the reading. */
	let ring: Buffer | undefined;
	let next = 0;
	let length = 0;
	let dropped = 0;
	return {
		push(chunk) {
			ring ??= Buffer.allocUnsafe(maxBytes);
			const kept = chunk.subarray(Math.max(0, chunk.length - maxBytes));
			const first = kept.copy(ring, next);
			kept.copy(ring, 0, first);
			next = (next + kept.length) % maxBytes;
			dropped += Math.max(0, length + chunk.length - maxBytes);
			length = Math.min(maxBytes, length + chunk.length);
		},
		take() {
			const begin = (next - length + maxBytes) % maxBytes;
			const whole = ring ?? Buffer.alloc(0);
			const parts = begin + length <= maxBytes ? [whole.subarray(begin, begin + length)] : [whole.subarray(begin), whole.subarray(0, next)];
			const taken = { bytes: Buffer.concat(parts), dropped };
			length = 0;
			dropped = 0;
			return taken;
		},
	};
}

/** Where reading can begin after a gap: the next line, else the next whole character. */
export function resyncOffset(bytes: Buffer): number {
	const newline = bytes.indexOf(0x0a);
	if (newline >= 0) return newline + 1;
	let at = 0;
	while (at < Math.min(4, bytes.length) && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
	return at;
}
