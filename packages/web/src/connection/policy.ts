import { CLOSE_CODES } from "@rightseat/protocol/close-codes";

/** A shorter outage is not shown: a status that flashes for every hiccup would be noise. */
export const STATUS_DELAY_MS = 1_200;
/** An idle foreground connection gets a ping after this long; with the pong timeout and the status delay a dead one is named within 10 s. */
export const VISIBLE_PING_AFTER_MS = 3_500;
/** The browser says that it is offline. A server on the same machine answers all the same; any other does not, and the reader learns it within 5 s. */
export const OFFLINE_PONG_MS = 3_000;
/** In the background a ping only keeps the server's 180 s clock from running out. */
export const HIDDEN_PING_AFTER_MS = 25_000;
/** However much arrives, the page itself says something this often: the server's 180 s clock runs on what comes from here only. */
export const KEEPALIVE_MS = 60_000;
/** A handshake that hangs is given up: browsers allow one handshake per host at a time, so it would block every later one. */
export const OPEN_TIMEOUT_MS = 8_000;
const BACKOFF_FIRST_MS = 500;
/** One person's server: a longer backoff would spare it nothing and leave its owner waiting. */
export const BACKOFF_MAX_MS = 8_000;
/** After this long without trouble the next failure is retried at once. */
export const HEALTHY_MS = 60_000;

export type CloseAdvice = { kind: "signed-out" } | { kind: "retry"; minDelayMs: number };

/** What a close code tells the client to do. */
export function adviceFor(code: number): CloseAdvice {
	switch (code) {
		case CLOSE_CODES.unauthorized:
			return { kind: "signed-out" };
		case CLOSE_CODES.policy:
		case CLOSE_CODES.rateLimited:
			return { kind: "retry", minDelayMs: 5_000 };
		case CLOSE_CODES.restart:
			return { kind: "retry", minDelayMs: 200 };
		default:
			return { kind: "retry", minDelayMs: 0 };
	}
}

/** Full jitter, so that many pages do not come back in step after a restart. `random` is in [0, 1). */
export function backoffMs(failures: number, random: number): number {
	const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 16));
	return Math.round(ceiling * random);
}
