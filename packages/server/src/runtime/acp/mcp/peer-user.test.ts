import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isOfAnotherUser } from "./peer-user.ts";
import { closeServers, echo, makeServer, openTools } from "./tool-server-harness.ts";

const sockets: Socket[] = [];
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.destroy();
	await closeServers();
});

/** Our end of a connection that a program of this user made. */
async function accept(host: string): Promise<Socket> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	const accepted = once(server, "connection");
	const client = connect({ host, port: typeof address === "object" && address !== null ? address.port : 0 });
	sockets.push(client);
	const [socket] = await accepted;
	sockets.push(socket);
	server.close();
	return socket;
}

const isLinux = process.platform === "linux";
const me = process.getuid?.() ?? 0;

test.each(["127.0.0.1", "::ffff:127.0.0.1"])("[AC480] the kernel tells whose program is at the other end (%s)", async (host) => {
	const ends = await accept(host);
	expect(await isOfAnotherUser(ends)).toBe(false);
	expect(await isOfAnotherUser(ends, me + 1)).toBe(isLinux);
});

const ENDS = { localAddress: "127.0.0.1", localPort: 0x1f90, remoteAddress: "127.0.0.1", remotePort: 0xc001 };
const row = (local: string, remote: string, { state = "01", uid = me } = {}) =>
	`   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${uid} 0 1593 1 0000 100`;
const OWN = row("0100007F:1F90", "0100007F:C001");

test.runIf(isLinux)("[AC480] an end that is closed already, and one that is not found, count as another user's", async () => {
	const look = (...rows: string[]) => isOfAnotherUser(ENDS, me, async () => rows.join("\n"));
	expect(await look(OWN, row("0100007F:C001", "0100007F:1F90"))).toBe(false);
	expect(await look(OWN, row("0100007F:C001", "0100007F:1F90", { uid: me + 1 }))).toBe(true);
	expect(await look(OWN, row("0100007F:C001", "0100007F:1F90", { state: "05" }))).toBe(true);
	expect(await look(OWN)).toBe(true);
	let looks = 0;
	const late = async () => [OWN, ...(++looks < 3 ? [] : [row("0100007F:C001", "0100007F:1F90")])].join("\n");
	expect(await isOfAnotherUser(ENDS, me, late)).toBe(false);
});

test("[AC480] where the system does not tell, the token decides", async () => {
	expect(await isOfAnotherUser(ENDS, me, async () => "")).toBe(false);
	expect(await isOfAnotherUser(ENDS, undefined)).toBe(false);
});

test("[AC480] a program of another user runs nothing, although it has the token", async () => {
	const asked: unknown[] = [];
	const server = makeServer(undefined, async (ends) => asked.push(ends.remotePort) > 0);
	const { post, calls } = await openTools({ server });
	expect((await post(echo(1, {}))).status).toBe(403);
	expect([calls, asked.length]).toEqual([[], 1]);
});
