import type { Socket } from "./connection.ts";

/** A real WebSocket in the connection's terms. */
export function openBrowserSocket(url: string): Socket {
	const raw = new WebSocket(url);
	const socket: Socket = {
		send: (text) => raw.send(text),
		close: () => raw.close(),
		onOpen: nothing,
		onText: nothing,
		onClose: nothing,
	};
	raw.addEventListener("open", () => socket.onOpen());
	raw.addEventListener("message", (event) => {
		if (typeof event.data === "string") socket.onText(event.data);
	});
	raw.addEventListener("close", (event) => socket.onClose(event.code));
	return socket;
}

export const socketUrl = (location: { protocol: string; host: string }) =>
	`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;

function nothing(): void {
	// Replaced by the connection before the first event.
}
