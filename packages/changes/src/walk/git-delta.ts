/** A number in pieces of seven bits: the low ones first, or, of an offset in a pack, the high ones first and one added for each further piece. */
export function readVarint(bytes: Buffer, { isOffset }: { isOffset: boolean }): { value: number; length: number } {
	let value = 0;
	for (let length = 1; length <= 8; length += 1) {
		const byte = bytes.readUInt8(length - 1);
		if (!isOffset) value += (byte & 0x7f) * 2 ** (7 * (length - 1));
		else value = (length === 1 ? 0 : (value + 1) * 128) + (byte & 0x7f);
		if (byte < 0x80) return { value, length };
	}
	throw new RangeError("no number ends here");
}

/** Makes an object from another one: pieces of that, and bytes that are in neither. Throws for what is no delta of it. */
export function applyDelta(from: Buffer, delta: Buffer, maxBytes: number): Buffer {
	const source = readVarint(delta, { isOffset: false });
	const target = readVarint(delta.subarray(source.length), { isOffset: false });
	if (source.value !== from.length || target.value > maxBytes) throw new RangeError("not made from this");
	const made = Buffer.allocUnsafe(target.value);
	let length = 0;
	for (let at = source.length + target.length; at < delta.length; ) {
		const code = delta.readUInt8(at++);
		if (code === 0) throw new RangeError("reserved");
		if (code < 0x80) {
			length += delta.copy(made, length, at, at + code);
			at += code;
			continue;
		}
		const part = (bits: readonly number[]) =>
			bits.reduce((sum, bit, byte) => sum + (code & bit ? delta.readUInt8(at++) * 256 ** byte : 0), 0);
		const offset = part([1, 2, 4, 8]);
		const size = part([16, 32, 64]) || 0x10000;
		length += from.copy(made, length, offset, offset + size);
	}
	if (length !== made.length) throw new RangeError("too short");
	return made;
}
