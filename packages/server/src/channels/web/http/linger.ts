import type { IncomingMessage } from "node:http";
import type { Clock } from "../../../core/kernel/clock.ts";

/** What is read and thrown away of a body after its refusal, and for how long: an upload by mistake, not one without end. */
export const LINGER_BYTES = 64 * 1024 * 1024;
export const LINGER_MS = 10_000;

/** Whether a body was announced and has not come to its end. */
export function hasUnreadBody(request: IncomingMessage): boolean {
	const { "content-length": length, "transfer-encoding": encoding } = request.headers;
	return !request.complete && (encoding !== undefined || Number(length ?? 0) > 0);
}

/**
 * Keeps the connection of a refused request open until its body has come or a bound is reached. Closed at once, with bytes in it that nobody
 * read, the system resets it, and a client that still sends never reads the answer.
 */
export function linger(request: IncomingMessage, clock: Pick<Clock, "after">): void {
	const { socket } = request;
	const destroySoon = socket.destroySoon.bind(socket);
	let isAnswered = false;
	let left = LINGER_BYTES;
	// What Node calls when the answer of a connection that ends with it has been written.
	socket.destroySoon = () => {
		socket.destroySoon = destroySoon;
		isAnswered = true;
		if (request.complete) destroySoon();
	};
	socket.once(
		"close",
		clock.after(LINGER_MS, () => socket.destroy()),
	);
	request.on("data", (chunk: Buffer) => {
		left -= chunk.length;
		if (left < 0) socket.destroy();
	});
	request.once("end", () => {
		if (isAnswered) destroySoon();
	});
	request.resume();
}
