import { PONG_TIMEOUT_MS } from "@rightseat/protocol/limits";
import {
	adviceFor,
	backoffMs,
	HEALTHY_MS,
	HIDDEN_PING_AFTER_MS,
	KEEPALIVE_MS,
	OFFLINE_PONG_MS,
	OPEN_TIMEOUT_MS,
	VISIBLE_PING_AFTER_MS,
} from "./policy.ts";

/** A connection to the server. `connecting` and `open` own a socket, the others do not; `failures` in a row lengthen the backoff. */
export type Link =
	| { kind: "stopped" }
	| { kind: "signed-out" }
	| { kind: "connecting"; since: number; failures: number }
	| { kind: "open"; since: number; failures: number; saidAt: number; heartbeat: Heartbeat }
	/** Lost; tries again at `retryAt`. */
	| { kind: "waiting"; since: number; failures: number; retryAt: number }
	/** Lost while hidden: no timer until the page is shown. */
	| { kind: "resting"; since: number; failures: number };

/** Either the next ping is planned, or one was sent and its pong is awaited. */
export type Heartbeat = { kind: "idle"; pingAt: number } | { kind: "awaiting-pong"; pongBy: number };

export type LinkInput =
	| { kind: "connect" | "opened" | "received" | "sent" | "shown" | "hidden" | "online" | "offline" | "due" | "login-ended" | "stop" }
	| { kind: "closed"; code: number };

/** What the shell has to do after a step, in this order. */
export type LinkEffect = "drop-socket" | "open-socket" | "ping" | "probe-login";

export interface LinkStep {
	link: Link;
	effects: readonly LinkEffect[];
}

/** What a step may know of its surroundings. `random` is in [0, 1). */
export interface Surroundings {
	now: number;
	visible: boolean;
	random: number;
}

/** One step of the connection. Pure: the same input leads to the same step. Whoever owns a socket drops it before another is opened. */
export function next(link: Link, input: LinkInput, around: Surroundings): LinkStep {
	switch (input.kind) {
		case "stop":
			return without(link, { kind: "stopped" });
		case "connect":
			return ownsSocket(link) ? stay(link) : reopen(link, around);
		case "opened":
			return link.kind === "connecting" ? opened(link, around) : stay(link);
		case "received":
			return link.kind === "open" ? stay({ ...link, heartbeat: idle(link.saidAt, around) }) : stay(link);
		case "sent":
			return link.kind === "open" ? stay({ ...link, saidAt: around.now }) : stay(link);
		case "closed":
			return ownsSocket(link) ? lost(link, input.code, around) : stay(link);
		case "due":
			return due(link, around);
		case "shown":
			if (link.kind === "open") return ping(link, PONG_TIMEOUT_MS, around);
			return link.kind === "waiting" || link.kind === "resting" ? reopen(link, around) : stay(link);
		case "hidden":
			return link.kind === "waiting" ? rest(link, around) : stay(link);
		case "online":
			if (link.kind === "open") return ping(link, PONG_TIMEOUT_MS, around);
			// A handshake that began on the old network may hang there until its limit.
			return link.kind === "waiting" || link.kind === "connecting" ? reopen(link, around) : stay(link);
		case "offline":
			// A server on this machine still answers; any other does not.
			return link.kind === "open" ? ping(link, OFFLINE_PONG_MS, around) : stay(link);
		case "login-ended":
			return link.kind === "open" || link.kind === "stopped" ? stay(link) : without(link, { kind: "signed-out" });
		default:
			return unreachable(input);
	}
}

/** When the shell must send `due`; a connection without a deadline waits for something else. */
export function deadlineOf(link: Link): number | undefined {
	switch (link.kind) {
		case "connecting":
			return link.since + OPEN_TIMEOUT_MS;
		case "open":
			return link.heartbeat.kind === "idle" ? link.heartbeat.pingAt : link.heartbeat.pongBy;
		case "waiting":
			return link.retryAt;
		case "resting":
		case "signed-out":
		case "stopped":
			return undefined;
		default:
			return unreachable(link);
	}
}

const ownsSocket = (link: Link): link is Extract<Link, { kind: "connecting" | "open" }> =>
	link.kind === "connecting" || link.kind === "open";

const stay = (link: Link): LinkStep => ({ link, effects: [] });

const without = (before: Link, link: Link): LinkStep => ({ link, effects: ownsSocket(before) ? ["drop-socket"] : [] });

function reopen(link: Link, { now }: Surroundings): LinkStep {
	const effects: LinkEffect[] = ownsSocket(link) ? ["drop-socket", "open-socket"] : ["open-socket"];
	return { link: { kind: "connecting", since: now, failures: "failures" in link ? link.failures : 0 }, effects };
}

function opened({ failures }: { failures: number }, around: Surroundings): LinkStep {
	const { now } = around;
	return stay({ kind: "open", since: now, failures, saidAt: now, heartbeat: idle(now, around) });
}

/** However much arrives, the page itself says something every minute: the server's heartbeat counts only what comes from here. */
function idle(saidAt: number, { now, visible }: Surroundings): Heartbeat {
	const quietMs = visible ? VISIBLE_PING_AFTER_MS : HIDDEN_PING_AFTER_MS;
	return { kind: "idle", pingAt: Math.max(now, Math.min(now + quietMs, saidAt + KEEPALIVE_MS)) };
}

function ping(link: Extract<Link, { kind: "open" }>, pongLimitMs: number, { now }: Surroundings): LinkStep {
	const earlier = link.heartbeat.kind === "awaiting-pong" ? link.heartbeat.pongBy : Number.POSITIVE_INFINITY;
	const heartbeat: Heartbeat = { kind: "awaiting-pong", pongBy: Math.min(earlier, now + pongLimitMs) };
	return { link: { ...link, saidAt: now, heartbeat }, effects: ["ping"] };
}

function due(link: Link, around: Surroundings): LinkStep {
	switch (link.kind) {
		case "connecting":
			return lost(link, 1006, around);
		case "waiting":
			return reopen(link, around);
		case "open":
			if (link.heartbeat.kind === "idle") return ping(link, PONG_TIMEOUT_MS, around);
			// Dead, and the reader may be waiting: no backoff. A hidden page rests instead.
			return around.visible ? reopen(link, around) : rest(link, around);
		case "resting":
		case "signed-out":
		case "stopped":
			return stay(link);
		default:
			return unreachable(link);
	}
}

function lost(link: Extract<Link, { kind: "connecting" | "open" }>, code: number, around: Surroundings): LinkStep {
	const advice = adviceFor(code);
	if (advice.kind === "signed-out") return without(link, { kind: "signed-out" });
	const { now } = around;
	const wasOpen = link.kind === "open";
	const failures = wasOpen && now - link.since >= HEALTHY_MS ? 0 : link.failures;
	const delayMs = Math.max(advice.minDelayMs, wasOpen && failures === 0 ? 0 : backoffMs(failures, around.random));
	const down = { since: now, failures: failures + 1 };
	return {
		link: around.visible ? { kind: "waiting", ...down, retryAt: now + delayMs } : { kind: "resting", ...down },
		// A browser does not tell a refused handshake from a dead network.
		effects: wasOpen ? ["drop-socket"] : ["drop-socket", "probe-login"],
	};
}

function rest(link: Extract<Link, { failures: number }>, { now }: Surroundings): LinkStep {
	return without(link, { kind: "resting", since: now, failures: link.failures });
}

function unreachable(value: never): never {
	throw new TypeError(`Unexpected: ${JSON.stringify(value)}`);
}
