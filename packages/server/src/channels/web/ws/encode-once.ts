/** Bytes of a frame. The same text goes to many sockets in a row; it is encoded for the first one only. */
export type EncodeOnce = (text: string) => Buffer;

export function createEncodeOnce(): EncodeOnce {
	let lastText: string | undefined;
	let lastBytes = Buffer.alloc(0);
	return (text) => {
		if (text !== lastText) {
			lastBytes = Buffer.from(text, "utf8");
			lastText = text;
		}
		return lastBytes;
	};
}
