import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, type LimitedServer } from "./http-server.ts";
import { listenOnLoopback, namesAreOurs } from "./listen-on-loopback.ts";

const opened: (Server | LimitedServer)[] = [];
afterEach(async () => {
	for (const server of opened.splice(0)) await server.close();
});

function web(): LimitedServer {
	const limited = createHttpServer(undefined);
	limited.server.on("request", (request, response) => response.end(`${request.socket.localAddress}`));
	opened.push(limited);
	return limited;
}
async function stranger(host: string): Promise<number> {
	const server = createServer().listen(0, host);
	opened.push(server);
	await once(server, "listening");
	const address = server.address();
	return typeof address === "object" && address !== null ? address.port : 0;
}
const ask = async (host: string, port: number) => (await fetch(`http://${host}:${port}/`)).text();

test("[SE100] both loopback addresses are ours, on one port and with one handler", async () => {
	const limited = web();
	const port = await limited.listen({ host: "127.0.0.1", port: 0 });
	expect([await ask("127.0.0.1", port), await ask("[::1]", port)]).toEqual(["127.0.0.1", "::1"]);
	// One limit on strangers for both addresses.
	expect(limited.unknownCount()).toBe(2);
});

test.each(["localhost", "::1"])("[SE100] with HOST %s as well", async (host) => {
	const port = await web().listen({ host, port: 0 });
	expect([await ask("127.0.0.1", port), await ask("[::1]", port)]).toEqual(["127.0.0.1", "::1"]);
});

test("[SE101] a port that somebody else holds on the other loopback address is refused, and nothing stays open", async () => {
	const port = await stranger("::1");
	const limited = web();
	await expect(limited.listen({ host: "127.0.0.1", port })).rejects.toMatchObject({
		code: "port-in-use",
		message: expect.stringContaining(`[::1]:${port}`),
	});
	await expect(ask("127.0.0.1", port)).rejects.toThrow();
});

test("[SE102] a port of our own choice is free on both", async () => {
	const servers = { main: createServer(), sibling: createServer() };
	const ports = [1, 2, 3];
	const taken = new Set([1, 2]);
	const bound: string[] = [];
	const port = await listenOnLoopback(servers, { host: "127.0.0.1", port: 0 }, async (server, host, wanted) => {
		bound.push(`${host} ${wanted}`);
		if (server === servers.main) return ports.shift() ?? 0;
		if (taken.has(wanted)) throw Object.assign(new Error("taken"), { code: "EADDRINUSE" });
		return wanted;
	});
	expect(port).toBe(3);
	expect(bound).toEqual(["127.0.0.1 0", "::1 1", "127.0.0.1 0", "::1 2", "127.0.0.1 0", "::1 3"]);
});

test("[SE100] a machine without the other family is served all the same", async () => {
	const servers = { main: createServer(), sibling: createServer() };
	opened.push(servers.main);
	// An address of documentation: no machine has it.
	const port = await listenOnLoopback(servers, { host: "127.0.0.1", port: 0, siblingHost: "2001:db8::1" });
	expect(port).toBeGreaterThan(0);
	expect(servers.sibling.listening).toBe(false);
});

test("[SE103] names of this machine are printed only where both addresses are ours", () => {
	expect(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"].map(namesAreOurs)).toEqual([true, true, true, true, true]);
	expect(["127.0.0.2", "192.168.1.5", "seat.example"].map(namesAreOurs)).toEqual([false, false, false]);
});
