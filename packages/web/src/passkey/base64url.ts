/** Bytes as the server writes them in JSON: base64url without padding. */
export function toBase64Url(buffer: ArrayBuffer): string {
	const text = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
	return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
	const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
	return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
