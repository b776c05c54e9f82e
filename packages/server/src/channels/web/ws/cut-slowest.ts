/** A reader with less than this waiting is not slow. */
const SMALL_BUFFER_BYTES = 64 * 1024;

/** A reader with what it has not taken yet. */
export interface SlowReader {
	waitingBytes(): number;
	/** Ends it and lets go of what waits. */
	cut(): void;
}

/** Cuts the readers with the most waiting until about so much is free. What they miss is on disk: one that comes back gets it from there. */
export function cutSlowest(readers: Iterable<SlowReader>, bytes: number): number {
	const slow = [...readers].filter((reader) => reader.waitingBytes() > SMALL_BUFFER_BYTES);
	let freed = 0;
	for (const reader of slow.sort((a, b) => b.waitingBytes() - a.waitingBytes())) {
		if (freed >= bytes) break;
		freed += reader.waitingBytes();
		reader.cut();
	}
	return freed;
}
