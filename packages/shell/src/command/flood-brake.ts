/** Backpressure for a background flood once its file is full: nothing of it can be kept, so it may not take the processor from everybody. */
export interface FloodBrake {
	/** So many bytes came of a command that has written `totalBytes`. */
	read(bytes: number, totalBytes: number): void;
}

const AFTER_BYTES = 64 * 1_048_576;
const BYTES_PER_STEP = 4 * 1_048_576;
const STEP_MS = 100;

export function createFloodBrake(stream: { pause(): void; resume(): void }): FloodBrake {
	let stepBytes = 0;
	return {
		read(bytes, totalBytes) {
			stepBytes += bytes;
			if (totalBytes < AFTER_BYTES || stepBytes < BYTES_PER_STEP) return;
			stepBytes = 0;
			stream.pause();
			setTimeout(() => stream.resume(), STEP_MS);
		},
	};
}
