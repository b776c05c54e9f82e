import { OWN_NAME } from "./http/gate.ts";
import { namesAreOurs } from "./http/listen-on-loopback.ts";
import type { WebConfig } from "./web-config.ts";

/** Under which addresses the page can be opened, once the port is known. */
export interface Addresses {
	port(): number;
	/** The port that was really taken; with `PORT=0` it is known only then. */
	setPort(port: number): void;
	/** Where the server answers, without a slash at the end. */
	baseUrl(): string;
	/** Where people open the page. On loopback a name that no other server is opened under: the cookie goes to every port of its host. */
	linkUrl(): string;
	/** The same for whoever sits at this machine, whatever phones use. */
	localLinkUrl(): string;
	/** Origins that count as ours beside the one we listen on. */
	publicOrigins(): readonly string[];
}

export function createAddresses(
	config: Pick<WebConfig, "host" | "port" | "tls" | "publicUrl">,
	/** What was paired; the first is the one for people. */
	paired: () => readonly string[],
): Addresses {
	const { host, tls, publicUrl } = config;
	const scheme = tls === undefined ? "http" : "https";
	const hasOwnName = publicUrl === undefined && tls === undefined && namesAreOurs(host);
	let port = config.port;
	function baseUrl(): string {
		return publicUrl?.replace(/\/+$/, "") ?? `${scheme}://${urlHost(host)}:${port}`;
	}
	const localLinkUrl = () => (hasOwnName ? `http://${OWN_NAME}:${port}` : baseUrl());
	return {
		port: () => port,
		setPort(taken) {
			port = taken;
		},
		baseUrl,
		linkUrl: () => (publicUrl === undefined ? paired()[0] : undefined) ?? localLinkUrl(),
		localLinkUrl,
		publicOrigins: () => [...(publicUrl === undefined ? [] : [publicUrl]), ...paired()],
	};
}

/** Nobody can open 0.0.0.0; the machine itself can be reached under its loopback address then. */
function urlHost(host: string): string {
	if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
	return host.includes(":") ? `[${host}]` : host;
}
