const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Bytes as lower-case base32 without padding: safe in subjects, file names and when read aloud. */
export function base32(bytes: Uint8Array): string {
	let text = "";
	let value = 0;
	let bits = 0;
	for (const byte of bytes) {
		value = ((value << 8) | byte) & 0xfff;
		bits += 8;
		while (bits >= 5) {
			bits -= 5;
			text += ALPHABET[(value >>> bits) & 31];
		}
	}
	return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}
