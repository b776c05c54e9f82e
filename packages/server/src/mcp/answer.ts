import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cancel, Clock } from "../core/kernel/clock.ts";

/** Clients give a silent call up after a minute. */
const PROGRESS_EVERY_MS = 10_000;

/** The one answer to a request, given as JSON, or at the end of a stream when it takes its time. */
export interface Answer {
	succeed(result: object, headers?: Record<string, string>): void;
	fail(code: number, message: string): void;
	/** From now on the client hears every ten seconds that the call goes on, until the answer. */
	keepAlive(progressToken: string | number | undefined): void;
	/** Called when the client is gone before its answer; at once if it is. */
	onGone(listener: () => void): void;
}

export function answerWith(
	response: ServerResponse,
	{ request, id, clock }: { request: IncomingMessage; id: string | number; clock: Clock },
): Answer {
	let streaming = false;
	let stopProgress: Cancel = () => undefined;

	function send(message: object, headers: Record<string, string>) {
		stopProgress();
		if (response.destroyed) return;
		const text = JSON.stringify({ jsonrpc: "2.0", id, ...message });
		if (streaming) response.end(`event: message\ndata: ${text}\n\n`);
		else response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
	}

	function keepAlive(progressToken: string | number | undefined) {
		if (!(request.headers.accept ?? "").includes("text/event-stream")) return;
		streaming = true;
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
		// The head alone tells the client that its call has arrived.
		response.flushHeaders();
		let progress = 0;
		function next() {
			progress += 1;
			const notice = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } };
			response.write(progressToken === undefined ? ": still running\n\n" : `event: message\ndata: ${JSON.stringify(notice)}\n\n`);
			stopProgress = clock.after(PROGRESS_EVERY_MS, next);
		}
		stopProgress = clock.after(PROGRESS_EVERY_MS, next);
		response.once("close", () => stopProgress());
	}

	return {
		succeed: (result, headers = {}) => send({ result }, headers),
		fail: (code, message) => send({ error: { code, message } }, {}),
		keepAlive,
		onGone(listener) {
			if (response.destroyed) return listener();
			response.once("close", () => {
				if (!response.writableEnded) listener();
			});
		},
	};
}
