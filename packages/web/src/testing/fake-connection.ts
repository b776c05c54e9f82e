import { type ConnectionState, createConnection, type Socket } from "../connection/connection.ts";
import { createFakeClock } from "./fake-clock.ts";

export interface FakeSocket extends Socket {
	sent: string[];
	closed: boolean;
}

/** A connection with sockets that open, speak and close when the test says so. */
export function setUpConnection(options: { random?: number; probe?: "ok" | "signed-out" | "unreachable" } = {}) {
	const clock = createFakeClock();
	const sockets: FakeSocket[] = [];
	const states: ConnectionState["kind"][] = [];
	const texts: string[] = [];
	let visible = true;
	const connection = createConnection({
		clock,
		random: () => options.random ?? 0.5,
		visible: () => visible,
		probe: () => Promise.resolve(options.probe ?? "ok"),
		onText: (text) => texts.push(text),
		onState: (state) => states.push(state.kind),
		openSocket() {
			const none = () => undefined;
			const socket: FakeSocket = {
				sent: [],
				closed: false,
				send: (text) => socket.sent.push(text),
				close: none,
				onOpen: none,
				onText: none,
				onClose: none,
			};
			socket.close = () => {
				socket.closed = true;
			};
			sockets.push(socket);
			return socket;
		},
	});
	const last = () => {
		const socket = sockets.at(-1);
		if (socket === undefined) throw new Error("No socket was opened.");
		return socket;
	};
	const show = (now: boolean) => {
		visible = now;
		connection.visibilityChanged();
	};
	const connected = () => {
		connection.connect();
		last().onOpen();
	};
	return { clock, connection, sockets, states, texts, last, show, connected };
}
