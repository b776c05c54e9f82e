import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { EncodeOnce } from "./encode-once.ts";

/** High-water mark: above it events are held back; they can be replayed from the log. */
export const SOFT_LIMIT_BYTES = 1024 * 1024;
/** Above this, or without any progress for so long above the high-water mark, the reader is disconnected. */
export const HARD_LIMIT_BYTES = 8 * 1024 * 1024;
export const STUCK_MS = 30_000;
/** What is sent in one go, after its first frame, leaves in writes of about this size: one for each frame is what makes catching up slow. */
const BATCH_BYTES = 65_536;

/** What goes to one client, with backpressure. It keeps no queue of its own: a reader that falls behind misses events and catches up from the log. */
export interface Outbound {
	/** Answers: always sent, unless the client has gone. */
	send(text: string): void;
	/** Part of catching up: sent whole however large, and what follows waits until the reader has taken it. */
	deliver(text: string): void;
	/** Above the high-water mark: the buffer must drain before the reader gets more. */
	behind(): boolean;
	/** Runs `catchUp` once when everything sent so far has been taken. Only while `behind`. */
	later(catchUp: CatchUp): void;
	/** Sent if the reader keeps up; otherwise false, and `catchUp` runs once when everything before has been taken. */
	offer(text: string, catchUp: CatchUp): boolean;
	/** Forgets a promised `catchUp`. */
	forget(catchUp: CatchUp): void;
	/** Bytes that the client has not taken yet. */
	waitingBytes(): number;
	close(): void;
}
export type CatchUp = () => void;

export function createOutbound(deps: {
	socket: WebSocket;
	raw: Duplex;
	clock: Clock;
	encode: EncodeOnce;
	logger: Logger;
	/** Of the sockets of all clients together. */
	account: Pick<MemoryAccount, "add">;
	/** The reader is stuck or far too slow. */
	onSlow(): void;
}): Outbound {
	const { socket, raw, clock } = deps;
	const waiting = new Set<CatchUp>();
	let behind = false;
	let closed = false;
	/** Bytes of `deliver` that are still on their way: they are bounded by what one catching up sends, and are no sign of a flood. */
	let delivering = 0;
	let waitingBytes = 0;
	let cancelStuck: Cancel = () => undefined;
	const gather = createBatches(raw);

	raw.on("drain", drained);

	/**
	 * Counted until the system has taken it. Straight to the socket, not through ws, which would make a head and a list of options for each of a thousand
	 * readers of the same frame. A write that fails ends the socket, and its close event does the rest.
	 */
	function transmit(frame: Buffer, written: () => void = () => undefined) {
		if (socket.readyState !== socket.OPEN) return written();
		const isFirst = waitingBytes === 0;
		waitingBytes += frame.length;
		deps.account.add(frame.length);
		gather({ bytes: frame.length, isFirst }, () =>
			raw.write(frame, () => {
				waitingBytes -= frame.length;
				deps.account.add(-frame.length);
				written();
			}),
		);
	}
	function write(text: string) {
		transmit(deps.encode(text));
		if (socket.bufferedAmount - delivering > HARD_LIMIT_BYTES) giveUp();
	}
	function fallBehind() {
		if (behind || socket.bufferedAmount <= SOFT_LIMIT_BYTES) return;
		behind = true;
		watchForProgress();
	}
	function watchForProgress() {
		const before = socket.bufferedAmount;
		cancelStuck = clock.after(STUCK_MS, () => {
			if (!behind || closed) return;
			if (socket.bufferedAmount >= before) giveUp();
			else watchForProgress();
		});
	}
	function drained() {
		if (!behind || closed) return;
		behind = false;
		cancelStuck();
		const due = [...waiting];
		waiting.clear();
		for (const catchUp of due) {
			// Catching up on one conversation can fill the buffer again; the rest wait for the next time.
			if (behind) waiting.add(catchUp);
			else run(catchUp);
		}
	}
	function run(catchUp: CatchUp) {
		try {
			catchUp();
		} catch (error) {
			// What it missed cannot be read now. Left open, it would believe that nothing happened; a new connection asks again.
			deps.logger.error({ err: error }, "A reader could not catch up");
			giveUp();
		}
	}
	function giveUp() {
		if (closed) return;
		closed = true;
		deps.onSlow();
	}

	return {
		send(text) {
			if (!closed) write(text);
		},
		deliver(text) {
			if (closed) return;
			const frame = deps.encode(text);
			delivering += frame.length;
			transmit(frame, () => {
				delivering -= frame.length;
			});
			fallBehind();
		},
		behind: () => behind,
		later: (catchUp) => void waiting.add(catchUp),
		offer(text, catchUp) {
			if (closed) return false;
			fallBehind();
			if (behind) {
				waiting.add(catchUp);
				return false;
			}
			write(text);
			return true;
		},
		forget: (catchUp) => waiting.delete(catchUp),
		waitingBytes: () => waitingBytes,
		close() {
			closed = true;
			cancelStuck();
			waiting.clear();
			raw.off("drain", drained);
		},
	};
}

/**
 * The first of what is on its way leaves at once: gathered too, a word would leave for the first of a thousand readers only when it was prepared for the
 * last one. Further writes of one turn of the loop leave together, or earlier when there is enough for a write.
 */
function createBatches(raw: Duplex): (frame: { bytes: number; isFirst: boolean }, write: () => void) => void {
	/** Since the socket was corked; undefined: it is not. */
	let batch: number | undefined;
	function release() {
		if (batch === undefined) return;
		batch = undefined;
		raw.uncork();
	}
	return ({ bytes, isFirst }, write) => {
		if (isFirst) return write();
		if (batch === undefined) {
			raw.cork();
			process.nextTick(release);
		}
		batch = (batch ?? 0) + bytes;
		write();
		if (batch >= BATCH_BYTES) release();
	};
}
