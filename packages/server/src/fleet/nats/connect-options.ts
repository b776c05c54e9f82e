import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity as checkIdentity, type PeerCertificate } from "node:tls";
import { type Authenticator, type NodeConnectionOptions, nkeys, type Server } from "@nats-io/transport-node";
import { hostOf, isLoopbackAddress, splitAddresses } from "./addresses.ts";
import { existing, keptFiles } from "./kept-files.ts";
import type { LoginConfig } from "./logins.ts";

/** How to reach the engine. */
export interface LinkConfig extends LoginConfig {
	/** One address, or several of one cluster with commas between them. */
	url: string;
	/** The authority that signed the engine's certificate, as PEM. */
	caFile?: string | undefined;
	/** Servers with known holes are accepted. */
	allowOld: boolean;
}

/** Where a newcomer that only knocks is answered. */
export const DOOR_INBOX = "_INBOX.door";
/** Where the host with this key is answered: nobody else may listen there. */
export const inboxOf = (natsKey: string) => `_INBOX.${natsKey}`;

/** What both connections have in common. Reads the authority's file; throws what the disk says. */
export function connectOptions(config: LinkConfig, authenticator: Authenticator): NodeConnectionOptions {
	const addresses = splitAddresses(config.url);
	const caFile = config.caFile ?? (config.keptIn === undefined ? undefined : existing(keptFiles(config.keptIn).ca));
	// The scheme alone does not ask for TLS: the client would go on in plain text with a server that has none.
	const needsTls = caFile !== undefined || addresses.some((address) => address.startsWith("tls://") || !isLoopbackAddress(address));
	return {
		servers: addresses.map((address) => address.replace(/^\w+:\/\//, "")),
		timeout: 2_000,
		maxReconnectAttempts: -1,
		reconnectTimeWait: 250,
		// An expired login is replaced by a person; the client would else give up for good.
		ignoreAuthErrorAbort: true,
		...(needsTls ? { tls: { ...identityOf(addresses), ...(caFile === undefined ? {} : { ca: readFileSync(caFile, "utf8") }) } } : {}),
		authenticator,
		...inbox(config),
	};
}

/** For this one of the servers that a client knows, and no try after the first. */
export function optionsFor({ listen, tlsName }: Server, options: NodeConnectionOptions): NodeConnectionOptions {
	// One that others told of by its number is checked by the name of who told.
	const name: object = tlsName === "" ? {} : { servername: tlsName };
	return { ...options, servers: [listen], reconnect: false, ...(options.tls == null ? {} : { tls: { ...options.tls, ...name } }) };
}

function inbox({ door, keptIn }: LinkConfig): { inboxPrefix?: string } {
	if (door !== undefined) return { inboxPrefix: DOOR_INBOX };
	const own = keptIn === undefined ? undefined : existing(keptFiles(keptIn).key);
	return own === undefined ? {} : { inboxPrefix: inboxOf(nkeys.fromSeed(readFileSync(own)).getPublicKey()) };
}

/** The client checks a server that is named by its IP address as "localhost", which is in nobody's certificate. */
function identityOf(addresses: readonly string[]): object {
	const numbers = addresses.map(hostOf).filter((host) => isIP(host) !== 0);
	if (numbers.length === 0) return {};
	const checkServerIdentity = (name: string, certificate: PeerCertificate): Error | undefined => {
		const wanted = name === "localhost" ? numbers : [name];
		const problems = wanted.map((each) => checkIdentity(each, certificate));
		return problems.some((problem) => problem === undefined) ? undefined : problems[0];
	};
	return { checkServerIdentity };
}
