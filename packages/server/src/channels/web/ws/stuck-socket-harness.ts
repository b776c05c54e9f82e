import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { WebSocket } from "ws";

/** Node's streams ask for a `drain` only after this much waited. */
const HIGH_WATER_MARK_BYTES = 16_384;

/** A socket whose other end takes nothing until told. */
export function stuckSocket() {
	const raw = new PassThrough();
	let buffered = 0;
	let needsDrain = false;
	const sent: string[] = [];
	const onWritten: (() => void)[] = [];
	const socket: WebSocket = Object.assign(Object.create(WebSocket.prototype), new EventEmitter());
	Object.defineProperties(socket, {
		bufferedAmount: { get: () => buffered },
		send: {
			value: (data: Buffer, _: object, written: () => void) => {
				sent.push(String(data));
				buffered += data.length;
				needsDrain ||= buffered >= HIGH_WATER_MARK_BYTES;
				onWritten.push(written);
			},
		},
	});
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
