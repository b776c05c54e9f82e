/** A text as a WebSocket frame. The same text goes to many sockets in a row; it is framed for the first one only. */
export type EncodeOnce = (text: string) => Buffer;

export function createEncodeOnce(): EncodeOnce {
	let lastText: string | undefined;
	let lastFrame: Buffer = Buffer.alloc(0);
	return (text) => {
		if (text !== lastText) {
			lastFrame = frameOf(text);
			lastText = text;
		}
		return lastFrame;
	};
}

/** The last and only fragment of a message, of text. */
const WHOLE_TEXT = 0x81;

/** RFC 6455, 5.2: what a server sends is not masked, and its length takes as few bytes as it needs. */
function frameOf(text: string): Buffer {
	const bytes = Buffer.byteLength(text);
	const headBytes = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
	const frame = Buffer.allocUnsafe(headBytes + bytes);
	frame[0] = WHOLE_TEXT;
	if (headBytes === 2) frame[1] = bytes;
	else if (headBytes === 4) {
		frame[1] = 126;
		frame.writeUInt16BE(bytes, 2);
	} else {
		frame[1] = 127;
		frame.writeBigUInt64BE(BigInt(bytes), 2);
	}
	frame.write(text, headBytes, "utf8");
	return frame;
}
