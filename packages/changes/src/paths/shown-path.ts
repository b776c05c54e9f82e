/** Bytes as people read them: what is no UTF-8, control characters, and a backslash that could be taken for an escape become `\xNN`. */
export function shownPath(path: string): string {
	const bytes = Buffer.from(path, "latin1");
	let shown = "";
	for (let at = 0; at < bytes.length; ) {
		const length = sequenceLength(bytes, at);
		const text = length === 0 ? "" : bytes.toString("utf8", at, at + length);
		const isPlain = length > 0 && !/[\0-\x1f\x7f-\x9f]/.test(text) && !looksEscaped(bytes, at);
		shown += isPlain ? text : `\\x${(bytes[at] ?? 0).toString(16).padStart(2, "0")}`;
		at += isPlain ? length : 1;
	}
	return shown;
}

/** The bytes, as latin1, of a name that `shownPath` made. */
export function pathOfShown(shown: string): string {
	return Buffer.from(shown, "utf8")
		.toString("latin1")
		.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const looksEscaped = (bytes: Buffer, at: number) => bytes[at] === 0x5c && /^\\x[0-9a-f]{2}/.test(bytes.toString("latin1", at, at + 4));

/** How many bytes the UTF-8 sequence here has; 0 when there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
	const first = bytes[at] ?? 0;
	if (first < 0x80) return 1;
	const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	const part = bytes.subarray(at, at + length);
	return part.length === length && Buffer.from(part.toString("utf8"), "utf8").equals(part) ? length : 0;
}
