import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Message, PeerFault } from "../../../mcp/message.ts";
import { createIncoming, type Incoming, type IncomingDeps } from "./incoming.ts";

/** How a request of ours ended: with a result that nobody has looked at yet, with the other side's error, or without an answer. */
export type Answer = { kind: "result"; result: unknown } | { kind: "fault"; fault: PeerFault } | { kind: "gone"; error: AppError };

/** An error that we answer a request of the other side with. */
export class RequestRefused extends AppError {
	readonly rpcCode: number;
	constructor(rpcCode: number, message: string) {
		super("bad-request", message);
		this.rpcCode = rpcCode;
	}
}

export const METHOD_NOT_FOUND = -32_601;

/**
 * One end of JSON-RPC 2.0 over lines. Everything is handed on in the order in which it came: a response never overtakes an update, because
 * its handler is called in the same pass, not by a promise.
 */
export interface Peer extends Pick<Incoming, "hold" | "isHeld" | "heardAt" | "settled"> {
	/** Calls `settle` once: with the answer, or with `gone` when the peer is closed first. */
	send(method: string, params: unknown, settle: (answer: Answer) => void): void;
	/** Rejects with the AppError of the close, with `late` after the limit, or with the fault's own words. */
	request(method: string, params: unknown, limit: { ms: number; late(): AppError; refused(fault: PeerFault): AppError }): Promise<unknown>;
	notify(method: string, params: unknown): void;
	/** Bytes that the other side has not taken. */
	readonly unsent: number;
	/** Lines that were no message, and answers to nothing that we asked. */
	readonly noise: number;
	/** Settles everything that waits, and reads and writes nothing more. */
	close(error: AppError): void;
}

export interface PeerDeps {
	input: Readable;
	output: Writable;
	clock: Clock;
	/** Counts what the agent sent and is not understood yet, and what it was sent and has not taken. */
	account?: IncomingDeps["account"];
	maxLineBytes?: number;
	maxUnsentBytes?: number;
	/** Resolves with the result; a RequestRefused becomes its error, anything else an internal one. `signal` aborts when the request is withdrawn. */
	onRequest(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
	onNotification(method: string, params: unknown): void;
	/** A message held so much that some of it was left out. */
	onCut?(): void;
	/** The other side broke a bound; its owner decides what becomes of it. */
	onBroken(because: string): void;
}

/** What waits to be taken by an agent that does not read its standard input. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** Requests of the agent that wait for an answer of ours; more are refused. */
export const MAX_OPEN_REQUESTS = 256;

export function createPeer(deps: PeerDeps): Peer {
	const { output, clock } = deps;
	const waiting = new Map<number, (answer: Answer) => void>();
	const requests = createRequestAnswerer({ onRequest: deps.onRequest, write });
	let nextId = 1;
	let noise = 0;
	let closed: AppError | undefined;
	let unsent = 0;
	let isFull = false;
	const incoming = createIncoming({
		...{
			input: deps.input,
			clock,
			account: deps.account,
			maxLineBytes: deps.maxLineBytes,
			onMessage: take,
			onCut: deps.onCut,
			onBroken: deps.onBroken,
		},
	});
	output.on("error", ignore);

	function take(message: Message): void {
		if (closed !== undefined) return;
		switch (message.kind) {
			case "noise":
				noise += 1;
				return;
			case "notification":
				if (message.method === "$/cancel_request") requests.withdraw(message.params);
				else deps.onNotification(message.method, message.params);
				return;
			case "request":
				void requests.answer(message.id, message.method, message.params);
				return;
			case "result":
				settle(message.id, { kind: "result", result: message.result });
				return;
			case "error":
				settle(message.id, { kind: "fault", fault: message.error });
		}
	}

	function settle(id: string | number | null, how: Answer): void {
		const found = typeof id === "number" ? waiting.get(id) : undefined;
		if (found === undefined || typeof id !== "number") {
			noise += 1;
			return;
		}
		waiting.delete(id);
		found(how);
	}

	function write(message: object): void {
		if (closed !== undefined || isFull || output.destroyed || output.writableEnded) return;
		// Bytes, not a string: a pipe would count the characters of one.
		const line = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		count(line.length);
		output.write(line, () => count(-line.length));
		isFull = unsent > (deps.maxUnsentBytes ?? MAX_UNSENT_BYTES);
		if (isFull) deps.onBroken("it does not read what it is sent");
	}

	/** What a closed peer had not sent goes with its process, and is counted down by then. */
	function count(bytes: number): void {
		if (closed !== undefined) return;
		unsent += bytes;
		deps.account?.add(bytes);
	}

	function send(method: string, params: unknown, done: (answer: Answer) => void): number {
		const id = nextId++;
		if (closed === undefined) {
			waiting.set(id, done);
			write({ id, method, params });
		} else done({ kind: "gone", error: closed });
		return id;
	}

	return {
		send: (method, params, done) => void send(method, params, done),
		request(method, params, limit) {
			return new Promise((resolve, reject) => {
				const cancel = clock.after(limit.ms, () => {
					waiting.delete(id);
					reject(limit.late());
				});
				const id = send(method, params, (how) => {
					cancel();
					if (how.kind === "result") resolve(how.result);
					else reject(how.kind === "fault" ? limit.refused(how.fault) : how.error);
				});
			});
		},
		notify: (method, params) => write({ method, params }),
		hold: incoming.hold,
		get isHeld() {
			return incoming.isHeld;
		},
		settled: incoming.settled,
		get heardAt() {
			return incoming.heardAt;
		},
		get unsent() {
			return unsent;
		},
		get noise() {
			return noise;
		},
		close(error) {
			if (closed !== undefined) return;
			count(-unsent);
			closed = error;
			incoming.close();
			requests.abortAll();
			for (const done of [...waiting.values()]) done({ kind: "gone", error });
			waiting.clear();
		},
	};
}

/** The other side's requests that wait for an answer of ours. */
function createRequestAnswerer(deps: Pick<PeerDeps, "onRequest"> & { write(message: object): void }) {
	const answering = new Map<string | number, AbortController>();
	return {
		async answer(id: string | number, method: string, params: unknown): Promise<void> {
			const stop = new AbortController();
			if (answering.size >= MAX_OPEN_REQUESTS) return deps.write({ id, error: { code: -32_000, message: "Too many requests at once." } });
			answering.set(id, stop);
			try {
				const result = await deps.onRequest(method, params, stop.signal);
				deps.write({ id, result: result ?? null });
			} catch (error) {
				if (error instanceof RequestRefused) deps.write({ id, error: { code: error.rpcCode, message: error.message } });
				else deps.write({ id, error: { code: -32_603, message: "Internal error" } });
			} finally {
				if (answering.get(id) === stop) answering.delete(id);
			}
		},
		withdraw(params: unknown): void {
			if (typeof params !== "object" || params === null || !("requestId" in params)) return;
			const { requestId } = params;
			if (typeof requestId === "string" || typeof requestId === "number") answering.get(requestId)?.abort();
		},
		abortAll(): void {
			for (const stop of answering.values()) stop.abort();
		},
	};
}

const ignore = () => undefined;
