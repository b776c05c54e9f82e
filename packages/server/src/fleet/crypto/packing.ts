import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from "node:zlib";

/** As much is packed and unpacked at once: it takes less time than another thread needs to begin. */
export const AT_ONCE_BYTES = 32_768;
/** And becomes no more than this at once: a few bytes can be packed so that they become gigabytes. */
export const AT_ONCE_UNPACKED_BYTES = 262_144;

const [deflateElsewhere, inflateElsewhere] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Packs what hosts say to each other: what is short at once, a long conversation on other threads. */
export async function pack(text: string, options: { level?: number } = {}): Promise<Buffer> {
	return text.length <= AT_ONCE_BYTES ? deflateRawSync(text, options) : await deflateElsewhere(text, options);
}

/** Rejects when it is nothing that was packed, or becomes more than this. */
export async function unpack(packed: Uint8Array, maxOutputLength: number): Promise<Buffer> {
	const atOnce = packed.length <= AT_ONCE_BYTES ? unpackAtOnce(packed, Math.min(maxOutputLength, AT_ONCE_UNPACKED_BYTES)) : undefined;
	return atOnce ?? (await inflateElsewhere(packed, { maxOutputLength }));
}

/** Undefined when it becomes more than that. */
function unpackAtOnce(packed: Uint8Array, maxOutputLength: number): Buffer | undefined {
	try {
		return inflateRawSync(packed, { maxOutputLength });
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}
