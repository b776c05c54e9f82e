import type { AddressInfo, Server } from "node:net";
import { AppError } from "../../../core/kernel/errors.ts";

/** A port that is free in one family and taken in the other is given up for another, at most this often. */
const MAX_PICKS = 20;
/** This machine does not speak the other family, so nobody else can sit there either. */
const NO_SUCH_FAMILY = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT", "EPROTONOSUPPORT"]);

/**
 * The loopback address of the other family, where `localhost` and `rightseat.localhost` lead as well. Left free, another user of this
 * machine could listen there, and browsers, which try `::1` first, would show that page under our name and hand it our cookie.
 */
export function siblingOf(host: string): string | undefined {
	if (host === "127.0.0.1" || host === "localhost" || host === "0.0.0.0") return "::1";
	return host === "::1" ? "127.0.0.1" : undefined;
}

/** Names that lead to this machine are safe to print only where both families are ours. */
export const namesAreOurs = (host: string): boolean => host === "::" || siblingOf(host) !== undefined;

type Bind = (server: Server, host: string, port: number) => Promise<number>;

/** Listens on the address and on its sibling, with one port. Rejects when somebody else holds either. */
export async function listenOnLoopback(
	servers: { main: Server; sibling: Server },
	at: { host: string; port: number; siblingHost?: string | undefined },
	listen: Bind = bind,
): Promise<number> {
	const siblingHost = at.siblingHost ?? siblingOf(at.host);
	for (let pick = 1; ; pick += 1) {
		const port = await listen(servers.main, at.host, at.port);
		if (siblingHost === undefined) return port;
		try {
			await listen(servers.sibling, siblingHost, port);
			return port;
		} catch (error) {
			const code = codeOf(error);
			if (code !== undefined && NO_SUCH_FAMILY.has(code)) return port;
			await new Promise((resolve) => servers.main.close(resolve));
			if (code !== "EADDRINUSE") throw error;
			if (at.port !== 0 || pick === MAX_PICKS) throw takenBySomebodyElse(siblingHost, port, error);
		}
	}
}

function takenBySomebodyElse(host: string, port: number, cause: unknown): AppError {
	const place = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
	return new AppError(
		"port-in-use",
		`Another program listens on ${place}, where browsers look for localhost: it would be shown in our place and get your login. Stop it, or choose another port with --port.`,
		{ cause, params: { address: place } },
	);
}

const bind: Bind = (server, host, port) =>
	new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen({ host, port }, () => {
			server.off("error", reject);
			resolve(portOf(server.address()));
		});
	});

function portOf(address: AddressInfo | string | null): number {
	if (address === null || typeof address === "string") throw new AppError("internal", "The server does not listen on a port.");
	return address.port;
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : undefined);
