import { connect, type Socket } from "node:net";

/** What came back over a raw TCP connection until it ended or the answer was whole. */
export interface RawAnswer {
	status: number;
	head: string;
	body: string;
}

/** Sends bytes as they are: no friendly client tidies them up. */
export async function rawRequest(port: number, text: string): Promise<RawAnswer> {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => socket.destroy());
	socket.write(text);
	let received = "";
	await new Promise<void>((resolve) => {
		socket.on("data", (data) => {
			received += data.toString("latin1");
			if (isWhole(received)) resolve();
		});
		socket.on("close", () => resolve());
	});
	socket.destroy();
	const [head = "", ...rest] = received.split("\r\n\r\n");
	return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join("\r\n\r\n") };
}

export const lines = (...text: string[]) => `${text.join("\r\n")}\r\n\r\n`;

export const upgradeLines = (port: number, ...more: string[]) => [
	"GET /ws HTTP/1.1",
	...(more.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`]),
	"Connection: Upgrade",
	"Upgrade: websocket",
	"Sec-WebSocket-Version: 13",
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
	...more,
];

/** A WebSocket opened by hand; frames are written byte by byte. */
export async function rawWebSocket(port: number, token: string): Promise<Socket> {
	const socket = connect(port, "127.0.0.1");
	socket.on("error", () => socket.destroy());
	socket.write(lines(...upgradeLines(port, `Authorization: Bearer ${token}`)));
	const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
	if (!answer.startsWith("HTTP/1.1 101")) throw new Error(answer);
	return socket;
}

/** One masked frame of a client. */
export function frame(payload: Buffer, options: { opcode?: number; final?: boolean; rsv?: number } = {}): Buffer {
	const first = (options.final === false ? 0 : 0x80) | (options.rsv ?? 0) | (options.opcode ?? 1);
	const length = payload.length;
	const head =
		length < 126
			? Buffer.from([first, 0x80 | length])
			: length < 65_536
				? Buffer.from([first, 0x80 | 126, length >> 8, length & 255])
				: Buffer.concat([Buffer.from([first, 0x80 | 127, 0, 0, 0, 0]), uint32(length)]);
	return Buffer.concat([head, Buffer.alloc(4), payload]);
}

/** The code of the close frame that ends what came, or 0. */
export async function closeCode(socket: Socket): Promise<number> {
	const chunks: Buffer[] = [];
	await new Promise<void>((resolve) => {
		socket.on("data", (data) => chunks.push(data));
		socket.on("close", () => resolve());
	});
	const all = Buffer.concat(chunks);
	for (let at = 0; at + 4 <= all.length; ) {
		const length = all[at + 1] ?? 0;
		if (all[at] === 0x88) return all.readUInt16BE(at + 2);
		at += 2 + (length === 126 ? 2 + all.readUInt16BE(at + 2) : length);
	}
	return 0;
}

const uint32 = (value: number) => {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(value);
	return bytes;
};

function isWhole(received: string): boolean {
	const end = received.indexOf("\r\n\r\n");
	if (end === -1) return false;
	const head = received.slice(0, end);
	if (head.startsWith("HTTP/1.1 101") || /^HTTP\/1\.1 (204|304)/.test(head)) return true;
	const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
	return length !== undefined && received.length >= end + 4 + Number(length);
}
