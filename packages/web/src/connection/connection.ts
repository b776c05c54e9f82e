import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { PONG_TIMEOUT_MS } from "@rightseat/protocol/limits";
import type { Clock } from "./clock.ts";
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

export type ConnectionState =
	| { kind: "connecting"; since: number }
	| { kind: "open"; since: number }
	/** Lost; tries again at `retryAt`. */
	| { kind: "waiting"; since: number; retryAt: number }
	/** Lost while hidden: nothing happens until somebody looks. */
	| { kind: "resting"; since: number }
	| { kind: "signed-out" }
	| { kind: "stopped" };

/** The part of a WebSocket that the connection uses; at most one handler each. */
export interface Socket {
	send(text: string): void;
	close(): void;
	onOpen: () => void;
	onText: (text: string) => void;
	onClose: (code: number) => void;
}

export interface ConnectionOptions {
	clock: Clock;
	random: () => number;
	openSocket: () => Socket;
	/** Asks over HTTP whether the login still holds; a refused handshake looks like a dead network to a browser. */
	probe: () => Promise<"ok" | "signed-out" | "unreachable">;
	visible: () => boolean;
	onText: (text: string) => void;
	onState: (state: ConnectionState) => void;
}

export interface Connection {
	/** Opens, or tries again at once if it is waiting. */
	connect(): void;
	/** False if it could not be sent. */
	send(frame: ClientFrame): boolean;
	state(): ConnectionState;
	/** The page was shown or hidden. */
	visibilityChanged(): void;
	/** The browser says that the network is back. */
	networkBack(): void;
	/** The browser says that there is no network; a server on this machine is still there. */
	networkGone(): void;
	stop(): void;
}

/** One socket at a time, replaced when it is dead; late events of a replaced one are ignored. */
export function createConnection(options: ConnectionOptions): Connection {
	const { clock } = options;
	let state: ConnectionState = { kind: "stopped" };
	let current: Socket | undefined;
	let failures = 0;
	let healthySince = 0;
	let saidAt = 0;
	let cancelPing: () => void = ignore;
	let cancelPong: (() => void) | undefined;
	let cancelRetry: () => void = ignore;
	let cancelOpenLimit: () => void = ignore;

	const set = (next: ConnectionState) => {
		state = next;
		options.onState(next);
	};

	const orphan = () => {
		const old = current;
		current = undefined;
		cancelPing();
		cancelPong?.();
		cancelPong = undefined;
		cancelRetry();
		cancelOpenLimit();
		if (old === undefined) return;
		old.onOpen = ignore;
		old.onText = ignore;
		old.onClose = ignore;
		old.close();
	};

	const open = () => {
		orphan();
		set({ kind: "connecting", since: clock.now() });
		const socket = options.openSocket();
		current = socket;
		cancelOpenLimit = clock.after(OPEN_TIMEOUT_MS, () => lost(1006, false));
		socket.onOpen = () => {
			cancelOpenLimit();
			healthySince = clock.now();
			saidAt = clock.now();
			set({ kind: "open", since: clock.now() });
			schedulePing();
		};
		socket.onText = (text) => {
			cancelPong?.();
			cancelPong = undefined;
			schedulePing();
			options.onText(text);
		};
		socket.onClose = (code) => lost(code, state.kind === "open");
	};

	const schedulePing = () => {
		cancelPing();
		const quiet = options.visible() ? VISIBLE_PING_AFTER_MS : HIDDEN_PING_AFTER_MS;
		cancelPing = clock.after(Math.max(0, Math.min(quiet, saidAt + KEEPALIVE_MS - clock.now())), () => ping());
	};

	const ping = (pongLimitMs = PONG_TIMEOUT_MS) => {
		if (state.kind !== "open" || current === undefined) return;
		cancelPing();
		saidAt = clock.now();
		current.send('{"type":"ping"}');
		cancelPong ??= clock.after(pongLimitMs, () => {
			cancelPong = undefined;
			// Dead, and the reader may be waiting: no backoff. A hidden page rests instead.
			if (options.visible()) open();
			else rest();
		});
	};

	const rest = () => {
		orphan();
		set({ kind: "resting", since: clock.now() });
	};

	const lost = (code: number, wasOpen: boolean) => {
		orphan();
		const advice = adviceFor(code);
		if (advice.kind === "signed-out") {
			set({ kind: "signed-out" });
			return;
		}
		if (wasOpen && clock.now() - healthySince >= HEALTHY_MS) failures = 0;
		const free = wasOpen && failures === 0;
		const delay = Math.max(advice.minDelayMs, free ? 0 : backoffMs(failures, options.random()));
		failures += 1;
		if (!options.visible()) {
			rest();
		} else {
			set({ kind: "waiting", since: clock.now(), retryAt: clock.now() + delay });
			cancelRetry = clock.after(delay, open);
		}
		if (!wasOpen) void askWhy();
	};

	const askWhy = async () => {
		const answer = await options.probe();
		const down = state.kind === "waiting" || state.kind === "resting" || state.kind === "connecting";
		if (answer === "signed-out" && down) {
			orphan();
			set({ kind: "signed-out" });
		}
	};

	return {
		connect() {
			if (state.kind === "open" || state.kind === "connecting") return;
			open();
		},
		send(frame) {
			if (state.kind !== "open" || current === undefined) return false;
			saidAt = clock.now();
			current.send(JSON.stringify(frame));
			return true;
		},
		state: () => state,
		visibilityChanged() {
			if (!options.visible()) {
				if (state.kind === "waiting") rest();
				return;
			}
			if (state.kind === "open") ping();
			else if (state.kind === "waiting" || state.kind === "resting") open();
		},
		networkBack() {
			if (state.kind === "open") ping();
			// A handshake that began on the old network may hang there until its limit.
			else if (state.kind === "waiting" || state.kind === "connecting") open();
		},
		networkGone() {
			cancelPong?.();
			cancelPong = undefined;
			ping(OFFLINE_PONG_MS);
		},
		stop() {
			orphan();
			set({ kind: "stopped" });
		},
	};
}

function ignore(): void {
	// A replaced socket has nothing to say any more.
}
