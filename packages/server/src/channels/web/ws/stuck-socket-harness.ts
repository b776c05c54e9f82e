import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { WebSocket } from "ws";

/** Node's streams ask for a `drain` only after this much waited. */
const HIGH_WATER_MARK_BYTES = 16_384;

/** A socket whose other end takes nothing until told. */
export function stuckSocket() {
	let buffered = 0;
	let needsDrain = false;
	const sent: string[] = [];
	const onWritten: (() => void)[] = [];
	const raw = Object.assign(new PassThrough(), {
		write(frame: Buffer, written: () => void) {
			sent.push(...textsOf(frame));
			buffered += frame.length;
			needsDrain ||= buffered >= HIGH_WATER_MARK_BYTES;
			onWritten.push(written);
			return buffered < HIGH_WATER_MARK_BYTES;
		},
	});
	const socket: WebSocket = Object.assign(Object.create(WebSocket.prototype), new EventEmitter());
	Object.defineProperties(socket, { bufferedAmount: { get: () => buffered }, readyState: { value: WebSocket.OPEN } });
	return {
		raw,
		socket,
		sent,
		buffered: () => buffered,
		take(bytes: number) {
			buffered = Math.max(0, buffered - bytes);
			if (buffered > 0) return;
			for (const written of onWritten.splice(0)) written();
			if (!needsDrain) return;
			needsDrain = false;
			raw.emit("drain");
		},
	};
}

/** What stands in whole WebSocket frames of a server, one after the other. */
export function textsOf(bytes: Buffer): string[] {
	const texts: string[] = [];
	for (let at = 0; at < bytes.length; ) {
		if (bytes[at] !== 0x81) throw new Error(`No frame of text at ${at}.`);
		const short = bytes.readUInt8(at + 1);
		const head = short < 126 ? 2 : short === 126 ? 4 : 10;
		const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
		if (at + head + length > bytes.length) throw new Error("A frame is cut off.");
		texts.push(bytes.toString("utf8", at + head, at + head + length));
		at += head + length;
	}
	return texts;
}
