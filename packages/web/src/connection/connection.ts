import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Clock } from "./clock.ts";
import { deadlineOf, type Link, type LinkEffect, type LinkInput, next } from "./connection-machine.ts";

/** What the page says about its connection. */
export type ConnectionState =
	| { kind: "connecting" | "open" | "resting"; since: number }
	| { kind: "waiting"; since: number; retryAt: number }
	| { kind: "signed-out" | "stopped" };

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

/** One socket at a time, replaced when it is dead; late events of a replaced one are ignored. `connection-machine.ts` decides, this acts. */
export function createConnection(options: ConnectionOptions): Connection {
	const { clock } = options;
	let link: Link = { kind: "stopped" };
	let socket: Socket | undefined;
	let cancelDeadline: () => void = ignore;

	function feed(input: LinkInput): void {
		const before = link;
		const step = next(link, input, { now: clock.now(), visible: options.visible(), random: options.random() });
		link = step.link;
		arm(deadlineOf(before), deadlineOf(link));
		for (const effect of step.effects) act(effect);
		if (differs(before, step.link)) options.onState(stateOf(step.link));
	}

	/** A deadline that stays keeps its timer: set again, it would end late on a device whose clock was set back meanwhile. */
	function arm(before: number | undefined, deadline: number | undefined): void {
		if (deadline === before) return;
		cancelDeadline();
		cancelDeadline = deadline === undefined ? ignore : clock.after(Math.max(0, deadline - clock.now()), () => feed({ kind: "due" }));
	}

	function act(effect: LinkEffect): void {
		if (effect === "drop-socket") drop();
		else if (effect === "open-socket") open();
		else if (effect === "ping") socket?.send('{"type":"ping"}');
		else void askLogin();
	}

	function open(): void {
		const opening = options.openSocket();
		socket = opening;
		opening.onOpen = () => feed({ kind: "opened" });
		opening.onClose = (code) => feed({ kind: "closed", code });
		opening.onText = (text) => {
			feed({ kind: "received" });
			options.onText(text);
		};
	}

	function drop(): void {
		if (socket === undefined) return;
		const old = socket;
		socket = undefined;
		old.onOpen = ignore;
		old.onText = ignore;
		old.onClose = ignore;
		old.close();
	}

	async function askLogin(): Promise<void> {
		if ((await options.probe()) === "signed-out") feed({ kind: "login-ended" });
	}

	return {
		connect: () => feed({ kind: "connect" }),
		send(frame) {
			if (link.kind !== "open" || socket === undefined) return false;
			feed({ kind: "sent" });
			socket.send(JSON.stringify(frame));
			return true;
		},
		state: () => stateOf(link),
		visibilityChanged: () => feed({ kind: options.visible() ? "shown" : "hidden" }),
		networkBack: () => feed({ kind: "online" }),
		networkGone: () => feed({ kind: "offline" }),
		stop: () => feed({ kind: "stop" }),
	};
}

function stateOf(link: Link): ConnectionState {
	switch (link.kind) {
		case "connecting":
		case "open":
		case "resting":
			return { kind: link.kind, since: link.since };
		case "waiting":
			return { kind: "waiting", since: link.since, retryAt: link.retryAt };
		default:
			return { kind: link.kind };
	}
}

/** Frames and pings change the heartbeat only; telling those would draw the page again for each. */
function differs(before: Link, after: Link): boolean {
	return before.kind !== after.kind || ("since" in before && "since" in after && before.since !== after.since);
}

function ignore(): void {
	// Events of a replaced socket are ignored.
}
