import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { siblingOf } from "../../channels/web/http/listen-on-loopback.ts";
import type { Config } from "../config/config.ts";
import { findHomeOwner } from "../home/home-lock.ts";
import { type Finding, failure, ok } from "./finding.ts";

export async function checkPort(config: Config): Promise<Finding> {
	const owner = findHomeOwner(config.home);
	if (owner !== undefined) return ok("port", `Rightseat is running with this home directory${owner.process}`);
	const answer = await tryListening(config.host, config.port);
	if (answer === "free") return ok("port", `${config.host}:${config.port} is free`);
	return failure("port", `cannot listen on ${config.host}:${config.port} (${answer}). Choose another with --port.`);
}

/**
 * `localhost` has two addresses, and browsers try `::1` first. Whoever holds one of them while the other is ours is shown under our name and
 * gets our cookie.
 */
export async function checkLoopback(config: Config, listeners: () => Listener[] = listListeners): Promise<Finding> {
	const subject = "loopback names";
	const sibling = siblingOf(config.host);
	if (sibling === undefined || config.port === 0) return ok(subject, "nothing to look at");
	const stranger = listeners().find(({ port, uid }) => port === config.port && uid !== process.getuid?.());
	if (stranger !== undefined) {
		return failure(
			subject,
			`another user (id ${stranger.uid}) listens on port ${config.port} of ${stranger.address}. Do not open localhost:${config.port}; choose another port with --port.`,
		);
	}
	const [mine, other] = [await tryListening(config.host, config.port), await tryListening(sibling, config.port)];
	if (other === "free" || /EADDRNOTAVAIL|EAFNOSUPPORT/.test(other)) return ok(subject, "nobody else answers under localhost");
	if (mine === "free") {
		return failure(subject, `another program listens on port ${config.port} of ${sibling}. Stop it, or choose another port with --port.`);
	}
	return ok(subject, "both loopback addresses are held by programs of yours");
}

/** An open port and who opened it. */
export interface Listener {
	address: string;
	port: number;
	uid: number;
}

const LISTENING = "0A";

/** What Linux says of its listening ports; elsewhere nothing is known. */
function listListeners(): Listener[] {
	return ["tcp", "tcp6"].flatMap((family) => {
		let text: string;
		try {
			text = readFileSync(`/proc/net/${family}`, "utf8");
		} catch {
			// Not Linux, or no such family.
			return [];
		}
		return parseListeners(text);
	});
}

/** Reads a table of `/proc/net`: number, local address, remote address, state, queues, timer, retransmits, user. */
export function parseListeners(table: string): Listener[] {
	return table.split("\n").flatMap((line) => {
		const [, local = "", , state, , , , uid = ""] = line.trim().split(/\s+/);
		const [address = "", port = ""] = local.split(":");
		if (state !== LISTENING || port === "" || !OURS.has(address)) return [];
		return [{ address: OURS.get(address) ?? address, port: Number.parseInt(port, 16), uid: Number(uid) }];
	});
}

/** As the kernel writes them: each group of four bytes in the machine's own order. */
const OURS: ReadonlyMap<string, string> = new Map([
	["0100007F", "127.0.0.1"],
	["00000000", "0.0.0.0"],
	["00000000000000000000000001000000", "::1"],
	["00000000000000000000000000000000", "::"],
]);

/** `free`, or why it is not. */
export function tryListening(host: string, port: number): Promise<string> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", (error) => resolve(error.message));
		server.listen(port, host, () => server.close(() => resolve("free")));
	});
}
