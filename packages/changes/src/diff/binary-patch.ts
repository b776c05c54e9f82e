import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/** Bytes in one line of a patch: its first letter tells their number, and there are 52 letters. */
const LINE_BYTES = 52;

/** `GIT binary patch` with both sides whole, so that it applies in either direction. */
export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
	return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

/** The name of the content as git names it; a binary patch is refused without. */
export function gitBlobId(bytes: Uint8Array): string {
	return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function literal(bytes: Uint8Array): string {
	const packed = deflateSync(bytes);
	let text = `literal ${bytes.length}\n`;
	for (let at = 0; at < packed.length; at += LINE_BYTES) {
		const part = packed.subarray(at, at + LINE_BYTES);
		text += `${lengthLetter(part.length)}${base85(part)}\n`;
	}
	return text;
}

const lengthLetter = (length: number) => String.fromCharCode(length <= 26 ? 64 + length : 96 + length - 26);

/** Five digits for each four bytes; the last four are filled up with zeros. */
function base85(bytes: Uint8Array): string {
	let text = "";
	for (let at = 0; at < bytes.length; at += 4) {
		let value = 0;
		for (let offset = 0; offset < 4; offset++) value = value * 256 + (bytes[at + offset] ?? 0);
		let digits = "";
		for (let digit = 0; digit < 5; digit++) {
			digits = DIGITS.charAt(value % 85) + digits;
			value = Math.floor(value / 85);
		}
		text += digits;
	}
	return text;
}
