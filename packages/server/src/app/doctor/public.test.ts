import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { checkPublicAddress } from "./public.ts";

/** What a proxy makes of the doctor's questions. */
async function seenThrough(answer: RequestListener, onUpgrade?: string) {
	const server = createServer(answer);
	if (onUpgrade !== undefined) server.on("upgrade", (_request, socket) => socket.end(onUpgrade));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	const { level, detail } = await checkPublicAddress({ publicUrl: `http://127.0.0.1:${port}`, behindProxy: true });
	server.closeAllConnections();
	server.close();
	return `${level}: ${detail}`;
}

const healthy: RequestListener = (_request, response) =>
	response.writeHead(200, { "content-security-policy": "default-src 'none'" }).end("{}");
const REFUSED = "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

test("[SE154] without a proxy there is nothing to ask; behind one without an address it is said what to set", async () => {
	expect(await checkPublicAddress({ behindProxy: false })).toMatchObject({ level: "ok" });
	expect(await checkPublicAddress({ behindProxy: true })).toMatchObject({
		level: "warning",
		detail: expect.stringContaining("RIGHTSEAT_PUBLIC_URL"),
	});
});

test("[SE154] what does not come through the public address is named", async () => {
	expect(await seenThrough(healthy, REFUSED)).toMatch(/^ok: .*WebSockets pass$/);
	expect(await seenThrough(healthy)).toMatch(/^warning: .*does not pass WebSockets on/);
	expect(await seenThrough((_request, response) => response.writeHead(502).end(), REFUSED)).toMatch(/^warning: .*answers 502/);
	expect(await checkPublicAddress({ publicUrl: "http://127.0.0.1:1", behindProxy: true })).toMatchObject({
		level: "warning",
		detail: expect.stringContaining("does not answer"),
	});
});
