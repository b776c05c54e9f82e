import { LIVE_INTERVAL_MS } from "../output/live-feed.ts";
import type { Output } from "../output/output.ts";

/** Sends what a watcher has not seen yet, throttled, for as long as somebody waits for the command. */
export interface LiveSender {
	/** Bytes came: something will be sent soon. */
	wake(): void;
	/** Sends what there is now. */
	flush(now: number): void;
	/** Nobody watches from now on. */
	stop(): void;
}

export function createLiveSender(output: Output, send: (text: string) => void): LiveSender {
	let timer: NodeJS.Timeout | undefined;
	let stopped = false;

	function flush(now: number): void {
		const text = output.takeLive(now);
		if (text !== "") send(text);
	}
	function tick(): void {
		flush(performance.now());
		// Something may have been held back for the next piece.
		timer = setTimeout(tick, LIVE_INTERVAL_MS);
	}

	return {
		wake() {
			if (!stopped) timer ??= setTimeout(tick, LIVE_INTERVAL_MS);
		},
		flush,
		stop() {
			stopped = true;
			clearTimeout(timer);
		},
	};
}
