/** Decides by the first bytes of an output whether it is text. */
export interface BinarySniffer {
	push(chunk: Buffer): void;
	/** As far as one can tell; what begins oddly may turn out to be text. */
	readonly isBinary: boolean;
	/** Later bytes change nothing. */
	readonly isDecided: boolean;
}

const SAMPLE_BYTES = 8_192;

export function createBinarySniffer(): BinarySniffer {
	let sample = Buffer.alloc(0);
	let isBinary = false;
	return {
		push(chunk) {
			if (sample.length >= SAMPLE_BYTES) return;
			sample = Buffer.concat([sample, chunk.subarray(0, SAMPLE_BYTES - sample.length)]);
			isBinary = looksBinary(sample);
		},
		get isBinary() {
			return isBinary;
		},
		get isDecided() {
			return sample.length >= SAMPLE_BYTES;
		},
	};
}

/** Mostly not text. A few odd bytes, text in another encoding or one cut inside a character stay text. */
function looksBinary(sample: Buffer): boolean {
	const text = sample.toString("utf8");
	const odd = text.match(/[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]/g)?.length ?? 0;
	return odd * 10 > text.length * 3;
}
