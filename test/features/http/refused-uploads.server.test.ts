import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { LINGER_BYTES, LINGER_MS } from "../../../packages/server/src/channels/web/http/linger.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

const MIB = 1_048_576;

let bed: WebBed;
afterEach(() => bed.close());

interface Client {
	socket: Socket;
	/** What the server said so far. */
	heard(): string;
	/** Resolves with what went wrong, if anything, when the connection has ended. */
	ended: Promise<string | undefined>;
}

/** A client that has announced so many bytes and sent none yet. */
async function announce(headers: string[]): Promise<Client> {
	const { hostname, port } = new URL(bed.url);
	const socket = connect(Number(port), hostname);
	let text = "";
	let trouble: string | undefined;
	socket.on("data", (bytes) => {
		text += bytes.toString();
	});
	socket.on("error", (error) => {
		trouble = error.message;
	});
	const ended = new Promise<string | undefined>((resolve) => socket.once("close", () => resolve(trouble)));
	socket.write([`POST /api/attachments?name=a.bin HTTP/1.1`, `Host: ${new URL(bed.url).host}`, ...headers, "", ""].join("\r\n"));
	await expect.poll(() => text).toContain("HTTP/1.1 ");
	return { socket, heard: () => text, ended };
}
const authorization = () => `Authorization: Bearer ${bed.token}`;

const send = (socket: Socket, bytes: Uint8Array) =>
	new Promise<boolean>((resolve) => socket.write(bytes, (error) => resolve(error == null)));

test("[HT211] a client that goes on sending after a refusal reads it whole, and its connection ends in peace", async () => {
	bed = await createWebBed();
	for (const [headers, status] of [
		[[authorization(), "Content-Type: text/plain", `Content-Length: ${24 * MIB}`], "413"],
		[["Content-Type: text/plain", `Content-Length: ${24 * MIB}`], "401"],
	] as const) {
		const client = await announce([...headers]);
		for (let sent = 0; sent < 24; sent += 1) expect(await send(client.socket, new Uint8Array(MIB))).toBe(true);
		expect(await client.ended).toBeUndefined();
		expect(client.heard()).toContain(`HTTP/1.1 ${status} `);
		expect(client.heard().toLowerCase()).toContain("connection: close");
		expect(client.heard()).toMatch(/"code":"[a-z-]+".*}$/s);
	}
});

test("[HT211] an upload without end is cut after a bound in bytes", async () => {
	bed = await createWebBed();
	const client = await announce([authorization(), "Content-Type: text/plain", `Content-Length: ${10 * LINGER_BYTES}`]);
	let sent = 0;
	while (sent < 4 * LINGER_BYTES && (await send(client.socket, new Uint8Array(MIB)))) sent += MIB;
	await client.ended;
	expect([sent >= LINGER_BYTES / 2, sent < 2 * LINGER_BYTES]).toEqual([true, true]);
});

test("[HT211] one that stops sending is cut after a bound in time", async () => {
	const clock = createFakeClock();
	bed = await createWebBed({ clock });
	const client = await announce([authorization(), "Content-Type: text/plain", `Content-Length: ${24 * MIB}`]);
	await clock.advance(LINGER_MS - 1);
	expect(client.socket.destroyed).toBe(false);
	await clock.advance(1);
	await client.ended;
	expect(client.heard()).toContain("HTTP/1.1 413 ");
});
