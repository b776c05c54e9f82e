import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { freePort } from "../../../../../test/support/free-port.ts";
import { type Config, parseConfig } from "../config/config.ts";
import { checkLoopback, parseListeners } from "./port.ts";

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) server.close();
});

function config(port: number): Config {
	const parsed = parseConfig([], { RIGHTSEAT_HOME: tmpdir(), PORT: String(port) }, "/");
	if (parsed.kind !== "config") throw new Error(JSON.stringify(parsed));
	return parsed.config;
}
async function listen(host: string, port = 0): Promise<number> {
	const server = createServer();
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(port, host, resolve));
	const address = server.address();
	return typeof address === "object" && address !== null ? address.port : 0;
}

test("[SE106] the doctor finds a program that holds only the other loopback address", async () => {
	const port = await listen("::1", await freePort());
	expect(await checkLoopback(config(port), () => [])).toMatchObject({ level: "error", detail: expect.stringContaining("--port") });
	await listen("127.0.0.1", port);
	expect(await checkLoopback(config(port), () => [])).toMatchObject({ level: "ok" });
});

test("[SE106] the doctor finds another user's program on either address", async () => {
	const port = await listen("127.0.0.1");
	const finding = await checkLoopback(config(port), () => [{ address: "::1", port, uid: 65_534 }]);
	expect(finding).toMatchObject({ level: "error", detail: expect.stringContaining("another user (id 65534)") });
	expect(await checkLoopback(config(port), () => [{ address: "::1", port: port + 1, uid: 65_534 }])).toMatchObject({ level: "ok" });
});

test("[SE106] the kernel's table is read: listening ports on loopback or everywhere, with their user", () => {
	const table = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:1CF9 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 1 1 0 100 0 0 10 0
   1: 00000000000000000000000001000000:1CF9 00000000000000000000000001000000:A1B2 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1
   2: 0500A8C0:1CF9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 100 0 0 10 0
   3: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4 1 0 100 0 0 10 0
`;
	expect(parseListeners(table)).toEqual([
		{ address: "::1", port: 7417, uid: 65_534 },
		{ address: "0.0.0.0", port: 80, uid: 0 },
	]);
});
