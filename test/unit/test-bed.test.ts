import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { createRedactor } from "../../packages/server/src/core/kernel/redact.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createFaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { said } from "../support/said.ts";
import { writeToken } from "../support/write-token.ts";
import { connectWs } from "../support/ws-client.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const portOf = (server: { address(): unknown }) => {
	const address = server.address();
	return typeof address === "object" && address !== null && "port" in address ? Number(address.port) : 0;
};

/** Resolves when the socket has ended, with or without an error. */
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.on("error", () => undefined).once("close", () => resolve()));

/** A client of a server that sends these frames to whoever connects. */
async function sending(...frames: unknown[]) {
	const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
	closers.push(() => server.close());
	server.on("connection", (socket) => {
		for (const frame of frames) socket.send(JSON.stringify(frame));
	});
	await once(server, "listening");
	const client = await connectWs({ url: `http://127.0.0.1:${portOf(server)}` });
	closers.push(() => client.terminate());
	return client;
}
const delta = (seq: number, epoch = "e", content = "x") => ({
	type: "copilot:delta",
	data: { conversationId: "c", epoch, seq, messageId: "m", content },
});

describe("WebSocket client", () => {
	test("[AR13] frames of the protocol in order are collected and waited for", async () => {
		const client = await sending({ type: "pong" }, delta(4), delta(5), delta(1, "other epoch"));
		expect(await client.waitFor("copilot:delta", (frame) => frame.data.seq === 5)).toEqual(delta(5));
		await client.waitFor("copilot:delta", (frame) => frame.data.epoch === "other epoch");
		expect(client.all("copilot:delta")).toHaveLength(3);
	});

	test("[AR13] a frame that the protocol does not know fails the next wait", async () => {
		const client = await sending({ type: "copilot:surprise", data: {} }, delta(1));
		await expect(client.waitFor("copilot:delta")).rejects.toThrow(/protocol does not know.*surprise/);
	});

	test.each([
		["a gap", [delta(1), delta(3)]],
		["a repetition", [delta(1), delta(1)]],
	])("[AR13] %s in seq fails the next wait", async (_, frames) => {
		const client = await sending(...frames, { type: "pong" });
		await expect(client.waitFor("pong")).rejects.toThrow(/seq \d, but 2 was next/);
	});

	test("[AR445] words are waited for in however many pieces they come, and the frame that completes them is known", async () => {
		const client = await sending(delta(1, "e", "first-don"), delta(2, "e", "e. second-don"), { type: "pong" }, delta(3, "e", "e"));
		expect({ second: await said(client, "second-done"), first: await said(client, "first-done") }).toEqual({ second: 3, first: 1 });
		expect(await said(client, "second-done", 1)).toBe(3);
	});

	test("[AR13] a wait that ends in vain tells what came instead", async () => {
		const client = await sending(delta(1), delta(2), { type: "pong" });
		await client.waitFor("pong");
		await expect(client.waitFor("copilot:idle", undefined, { timeoutMs: 30 })).rejects.toThrow(
			"No copilot:idle within 30 ms. Received since: copilot:delta ×2, pong.",
		);
	});
});

describe("fault proxy", () => {
	async function proxied() {
		const arrived: Socket[] = [];
		const server = createServer((socket) => {
			arrived.push(socket);
			socket.on("error", () => undefined);
			socket.on("data", (chunk) => socket.write(`echo ${chunk}`));
		});
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		closers.push(() => server.close());
		const proxy = await createFaultProxy({ port: portOf(server) });
		closers.push(() => proxy.close());
		const client = connect(proxy.port, "127.0.0.1");
		closers.push(() => client.destroy());
		const ask = async (text: string) => {
			client.write(text);
			const [answer] = await once(client, "data");
			return String(answer);
		};
		expect(await ask("hello")).toBe("echo hello");
		return { proxy, client, ask, arrived };
	}

	test("[AR14] cut resets both sides", async () => {
		const { proxy, client, arrived } = await proxied();
		const ends = [client, ...arrived].map(closing);
		proxy.cut();
		await Promise.all(ends);
		expect(proxy.connections()).toBe(0);
	});

	test("[AR14] freeze holds everything back, resume lets it through", async () => {
		const { proxy, client } = await proxied();
		proxy.freeze();
		let received = "";
		client.on("data", (chunk) => {
			received += chunk;
		});
		client.write("held");
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(received).toBe("");
		const data = once(client, "data");
		proxy.resume();
		await data;
		expect(received).toBe("echo held");
	});

	test("[AR14] delay slows every chunk down", async () => {
		const { proxy, ask } = await proxied();
		proxy.delay(40);
		const startedAt = performance.now();
		expect(await ask("slow")).toBe("echo slow");
		expect(performance.now() - startedAt).toBeGreaterThan(75);
	});

	test("[AR14] half-open takes the client away and leaves the server in the dark", async () => {
		const { proxy, client, arrived } = await proxied();
		const gone = once(client, "close");
		proxy.halfOpen();
		await gone;
		expect({ connections: proxy.connections(), serverSide: arrived[0]?.readyState }).toEqual({ connections: 0, serverSide: "open" });
	});

	test("[AR14] refuse turns new connections away until resume", async () => {
		const { proxy } = await proxied();
		proxy.refuse();
		await closing(connect(proxy.port, "127.0.0.1"));
		proxy.resume();
		const accepted = connect(proxy.port, "127.0.0.1");
		closers.push(() => accepted.destroy());
		accepted.write("again");
		expect(String((await once(accepted, "data"))[0])).toBe("echo again");
	});
});

describe("fake clock", () => {
	test("[AR14] timers run in order of time, also those set on the way; cancelled ones do not", async () => {
		const clock = createFakeClock(0);
		const ran: string[] = [];
		clock.after(30, () => ran.push(`third at ${clock.now()}`));
		clock.after(10, () => {
			ran.push(`first at ${clock.now()}`);
			clock.after(5, () => ran.push(`second at ${clock.now()}`));
		});
		clock.after(20, () => ran.push("never"))();
		clock.after(100, () => ran.push("later"));
		await clock.advance(50);
		expect(ran).toEqual(["first at 10", "second at 15", "third at 30"]);
		expect({ now: clock.now(), pending: clock.pending() }).toEqual({ now: 50, pending: 1 });
	});

	test("[AR14] soon runs when things settle, and promises settle between timers", async () => {
		const clock = createFakeClock();
		const ran: string[] = [];
		clock.soon(() => ran.push("soon"));
		clock.after(1, () => void Promise.resolve().then(() => ran.push("promise")));
		clock.after(2, () => ran.push("timer"));
		await clock.settle();
		expect(ran).toEqual(["soon"]);
		await clock.advance(2);
		expect(ran).toEqual(["soon", "promise", "timer"]);
	});
});

test("[AR475] a port that a test asked for is its own: nobody else is given it, though nothing listens there", async () => {
	const ports = await Promise.all(Array.from({ length: 40 }, () => freePort()));
	expect(new Set(ports).size).toBe(ports.length);
	for (const port of ports) {
		const [own, neighbour] = [createServer(), createServer()];
		closers.push(() => own.close());
		await once(own.listen(port, "127.0.0.1"), "listening");
		const [refusal] = await once(neighbour.listen(port + 1, "127.0.0.1"), "error");
		expect(refusal).toMatchObject({ code: "EADDRINUSE" });
	}
	if (process.platform !== "linux") return;
	const [first = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/).map(Number);
	expect(Math.max(...ports)).toBeLessThan(Math.max(first, 32_768));
});

test("[AR465] the access token of a test holds back no last letter of a word", () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-token-"));
	closers.push(() => rmSync(home, { recursive: true }));
	for (let times = 0; times < 20; times++) {
		writeToken(home);
		const token = readFileSync(join(home, "token"), "utf8").trim();
		expect(token.length).toBeGreaterThan(32);
		for (const letter of "abcdefghijklmnopqrstuvwxyz0123456789.,:;!?)") {
			expect(createRedactor([token]).stream().take(`Begun${letter}`)).toBe(`Begun${letter}`);
		}
	}
});
