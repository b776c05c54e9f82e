import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/** Below those that systems give to outgoing connections and to whoever listens on port 0, so that nobody comes by one of them by chance. */
const FIRST_PORT = 20_000;
const PAIRS = 6_000;

/**
 * A port that stays free for its caller until this process ends, also while nothing listens on it: a server can end and come back.
 * Whoever wants one listens on the port behind it first, and goes on doing so; another run of the tests on this machine meets that and takes another.
 */
export async function freePort(): Promise<number> {
	for (let tries = 0; tries < PAIRS; tries += 1) {
		const port = FIRST_PORT + 2 * randomInt(PAIRS);
		const claim = await listen(port + 1);
		if (claim === undefined) continue;
		const trial = await listen(port);
		await close(trial ?? claim);
		if (trial !== undefined) return port;
	}
	throw new Error(`No port is free between ${FIRST_PORT} and ${FIRST_PORT + 2 * PAIRS}.`);
}

/** Undefined when somebody else has it. */
function listen(port: number): Promise<Server | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", () => resolve(undefined)).listen(port, "127.0.0.1", () => resolve(server.unref()));
	});
}

const close = (server: Server) => new Promise((resolve) => server.close(resolve));
