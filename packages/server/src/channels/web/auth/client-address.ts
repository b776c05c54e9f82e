import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** Does this come from a proxy on this machine that we set up ourselves, under the name that it serves? It says whom it speaks for. */
export function isFromOwnProxy(request: Pick<IncomingMessage, "headers" | "socket">, names: readonly string[]): boolean {
	const peer = plain(request.socket.remoteAddress ?? "");
	return (peer === "127.0.0.1" || peer === "::1") && names.some((name) => new URL(name).host === request.headers.host);
}

/** Whose address an attempt counts for: the other end of the connection, or what the declared proxy says about it. */
export function clientAddress(request: Pick<IncomingMessage, "headers" | "socket">, behindProxy: boolean): string {
	const peer = plain(request.socket.remoteAddress ?? "unknown");
	if (!behindProxy) return peer;
	// The proxy appends the address it saw; everything before that is what the client claims.
	const forwarded = request.headers["x-forwarded-for"];
	const last = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",").at(-1)?.trim() ?? "";
	return forwardedAddress(last) ?? peer;
}

/**
 * The address alone. Some proxies add the port (`203.0.113.9:4001`, `[2001:db8::1]:443`): left in, every connection would be a new
 * address, and no limit would ever be reached. What is no address counts as the proxy's own.
 */
export function forwardedAddress(text: string): string | undefined {
	const address = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
	const bare = address.split("%", 1)[0] ?? "";
	return isIP(bare) === 0 ? undefined : plain(bare.toLowerCase());
}

const plain = (address: string) => (address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address);
