import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { WebSocket } from "ws";
import { textsOf } from "../../../packages/server/src/channels/web/ws/stuck-socket-harness.ts";
import type { Socket } from "../../../packages/web/src/connection/connection.ts";
import type { World } from "../frame/part.ts";

/** The server's end of a connection, as `ws` would hand it over. */
export interface ServerEnd {
	readonly socket: WebSocket;
	readonly raw: PassThrough;
}

/** Who takes connections in; false: there is no server. */
export type Accept = (end: ServerEnd) => boolean;

/** The network between one page and the server. In order and whole, as TCP is, until something is wrong with it. */
export interface Wire {
	/** What the page's browser opens. */
	open(): Socket;
	/** One HTTP request gets through, there and back. */
	request<T>(ask: () => Promise<T>): Promise<T>;
	/** Both ends learn that it is over; what is under way is lost. */
	cut(): void;
	/** The server's process is gone. */
	serverGone(): void;
	/** Nothing is let through and nobody is told, or everything again. */
	setSilent(isSilent: boolean): void;
	setDown(isDown: boolean): void;
	setDelay(ms: number): void;
	/** The page's machine takes nothing more, or everything again. */
	setReading(isReading: boolean): void;
	/** The next frame towards the page is lost, comes twice, or comes after the one behind it. */
	spoilNext(how: Spoiled): void;
	/** Frames were lost or changed: what is on such a connection cannot be relied on. */
	readonly isSpoiled: boolean;
	readonly isOpen: boolean;
	calm(): void;
}
export type Spoiled = "lost" | "doubled" | "late" | "doubled-up";

/** The network cannot carry it. */
export class Unreachable extends Error {}

/** Node's streams ask for a `drain` only after this much waited. */
const HIGH_WATER_MARK_BYTES = 16_384;

interface Line {
	client: Socket;
	end: ServerEnd;
	/** Sent by the server, not taken by the page's machine. */
	waiting: { text: string; written: () => void; bytes: number }[];
	isOpen: boolean;
	needsDrain: boolean;
	/** When what was sent last arrives: nothing overtakes it. */
	downAt: number;
	upAt: number;
	held: string | undefined;
}

export function createWire(world: World, accept: Accept): Wire {
	const { clock } = world;
	let line: Line | undefined;
	let [delayMs, isSilent, isDown, isReading, isSpoiled] = [0, false, false, true, false];
	let spoil: Spoiled | undefined;

	function toPage(own: Line, text: string): void {
		const how = spoil;
		if (how !== undefined && how !== "doubled-up") {
			spoil = undefined;
			isSpoiled = true;
			world.count(`a frame was ${how}`);
			if (how === "lost") return;
			if (how === "late" && own.held === undefined) {
				own.held = text;
				return;
			}
		}
		arrive(own, text);
		if (how === "doubled") arrive(own, text);
		const late = own.held;
		own.held = undefined;
		if (late !== undefined) arrive(own, late);
	}
	function arrive(own: Line, text: string): void {
		own.downAt = Math.max(own.downAt, clock.elapsed() + delayMs);
		clock.after(own.downAt - clock.elapsed(), () => {
			if (own.isOpen && !isSilent) own.client.onText(text);
		});
	}
	function flush(own: Line): void {
		for (const { text, written } of own.waiting.splice(0)) {
			toPage(own, text);
			written();
		}
		if (!own.needsDrain) return;
		own.needsDrain = false;
		own.end.raw.emit("drain");
	}
	function close(own: Line, code: number, { tellsServer, tellsPage }: { tellsServer: boolean; tellsPage: boolean }): void {
		if (!own.isOpen) return;
		own.isOpen = false;
		if (line === own) line = undefined;
		for (const { written } of own.waiting.splice(0)) written();
		if (tellsServer) own.end.socket.emit("close", code, Buffer.alloc(0));
		if (tellsPage) clock.after(0, () => own.client.onClose(code));
	}

	function connect(client: Socket): void {
		if (isSilent) return;
		const end = createEnd({
			send(text, written) {
				const own = line;
				if (own?.end !== end || !own.isOpen) return written();
				const bytes = Buffer.byteLength(text);
				own.waiting.push({ text, written, bytes });
				if (isReading && !isSilent) flush(own);
				else own.needsDrain ||= waitingBytes(own) >= HIGH_WATER_MARK_BYTES;
			},
			close: (code) => line?.end === end && close(line, code, { tellsServer: true, tellsPage: !isSilent }),
			waitingBytes: () => (line?.end === end ? waitingBytes(line) : 0),
			isOpen: () => line?.end === end && line.isOpen,
		});
		const own: Line = { client, end, waiting: [], isOpen: true, needsDrain: false, downAt: 0, upAt: 0, held: undefined };
		// The earlier one stays half-open on the server's side; the little that waits there is the system's.
		for (const { written } of line?.waiting.splice(0) ?? []) written();
		line = own;
		isSpoiled = false;
		if (!accept(end)) close(own, 1006, { tellsServer: false, tellsPage: true });
		else client.onOpen();
	}

	return {
		get isSpoiled() {
			return isSpoiled;
		},
		get isOpen() {
			return line !== undefined;
		},
		open() {
			const nothing = () => undefined;
			let isGone = false;
			const mine = () => (line?.client === client ? line : undefined);
			const client: Socket = {
				send(text) {
					const own = mine();
					if (own === undefined) return;
					own.upAt = Math.max(own.upAt, clock.elapsed() + delayMs);
					const times = spoil === "doubled-up" ? 2 : 1;
					if (times === 2) {
						spoil = undefined;
						world.count("a frame to the server was doubled");
					}
					for (let time = 0; time < times; time += 1)
						clock.after(own.upAt - clock.elapsed(), () => {
							if (own.isOpen && !isSilent) own.end.socket.emit("message", Buffer.from(text), false);
						});
				},
				close() {
					isGone = true;
					const own = mine();
					if (own !== undefined) close(own, 1005, { tellsServer: !isSilent, tellsPage: false });
				},
				...{ onOpen: nothing, onText: nothing, onClose: nothing },
			};
			if (isDown) clock.after(delayMs, () => client.onClose(1006));
			else clock.after(delayMs, () => !isGone && connect(client));
			return client;
		},
		async request(ask) {
			if (isDown || isSilent) throw new Unreachable();
			if (delayMs > 0) await new Promise<void>((resolve) => clock.after(delayMs, resolve));
			const answer = await ask();
			if (isDown || isSilent) throw new Unreachable();
			return answer;
		},
		cut: () => line !== undefined && close(line, 1006, { tellsServer: true, tellsPage: true }),
		serverGone: () => line !== undefined && close(line, 1006, { tellsServer: false, tellsPage: !isSilent }),
		setSilent(next) {
			isSilent = next;
			// What a silent network swallowed does not come any more.
			if (!next && line !== undefined) close(line, 1006, { tellsServer: true, tellsPage: true });
		},
		setDown(next) {
			isDown = next;
			if (next && line !== undefined) close(line, 1006, { tellsServer: true, tellsPage: true });
		},
		setDelay(ms) {
			delayMs = ms;
		},
		setReading(next) {
			isReading = next;
			if (next && line !== undefined && !isSilent) flush(line);
		},
		spoilNext(how) {
			spoil = how;
		},
		calm() {
			[delayMs, isDown, isReading, spoil] = [0, false, true, undefined];
			if (line !== undefined && (isSilent || isSpoiled || line.held !== undefined))
				close(line, 1006, { tellsServer: true, tellsPage: true });
			isSilent = false;
			if (line !== undefined) flush(line);
		},
	};
}

const waitingBytes = (line: Line) => line.waiting.reduce((sum, { bytes }) => sum + bytes, 0);

/** What `ws` gives the server, as much of it as the server uses: frames go straight to the socket below it. */
function createEnd(does: {
	send(text: string, written: () => void): void;
	close(code: number): void;
	waitingBytes(): number;
	isOpen(): boolean;
}): ServerEnd {
	const raw = Object.assign(new PassThrough(), {
		write(frame: Buffer, written: () => void) {
			for (const text of textsOf(frame)) does.send(text, written);
			return does.waitingBytes() < HIGH_WATER_MARK_BYTES;
		},
	});
	const socket: WebSocket = Object.assign(Object.create(WebSocket.prototype), new EventEmitter());
	Object.defineProperties(socket, {
		bufferedAmount: { get: does.waitingBytes },
		readyState: { get: () => (does.isOpen() ? WebSocket.OPEN : WebSocket.CLOSED) },
		close: { value: (code: number) => does.close(code) },
	});
	return { socket, raw };
}
