import { type Beat, MAX_BEAT_BYTES } from "@rightseat/protocol/fleet/beat";
import type { Head } from "@rightseat/protocol/fleet/position";

const MAX_HEADS = 100;

/** A beat with as many heads as fit, the first first; those that wait are the rest. */
export function fitBeat(beat: Omit<Beat, "heads">, heads: readonly Head[]): { beat: Beat; rest: readonly Head[] } {
	let bytes = sizeOf({ ...beat, heads: [] });
	let count = 0;
	for (const head of heads.slice(0, MAX_HEADS)) {
		bytes += sizeOf(head) + 1;
		if (bytes > MAX_BEAT_BYTES) break;
		count += 1;
	}
	return { beat: { ...beat, heads: heads.slice(0, count) }, rest: heads.slice(count) };
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
