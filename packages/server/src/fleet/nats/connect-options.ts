import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity as checkIdentity, type PeerCertificate } from "node:tls";
import {
	type Authenticator,
	credsAuthenticator,
	type NodeConnectionOptions,
	nkeyAuthenticator,
	tokenAuthenticator,
	usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { hostOf, isLoopbackAddress, splitAddresses } from "./addresses.ts";

/** How to reach the engine. */
export interface LinkConfig {
	/** One address, or several of one cluster with commas between them. */
	url: string;
	/** A file as `nsc` makes it, or with a seed, a token, or `user:password`. */
	credsFile?: string | undefined;
	/** The authority that signed the engine's certificate, as PEM. */
	caFile?: string | undefined;
	/** Servers with known holes are accepted. */
	allowOld: boolean;
}

/** What both connections have in common. Reads the authority's file; throws what the disk says. */
export function connectOptions({ url, credsFile, caFile }: LinkConfig): NodeConnectionOptions {
	const addresses = splitAddresses(url);
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
		...(credsFile === undefined ? {} : { authenticator: fromFile(credsFile) }),
	};
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

/** The file is read for every connection, so that a new one counts without a restart. */
function fromFile(path: string): Authenticator {
	return (nonce) => authenticatorOf(readFileSync(path))(nonce);
}

function authenticatorOf(bytes: Buffer): Authenticator {
	const text = bytes.toString("utf8").trim();
	if (text.includes("BEGIN NATS USER JWT")) return credsAuthenticator(bytes);
	if (/^SU[A-Z2-7]{56}$/.test(text)) return nkeyAuthenticator(Buffer.from(text));
	const [user = "", ...password] = text.split(":");
	return password.length === 0 ? tokenAuthenticator(text) : usernamePasswordAuthenticator(user, password.join(":"));
}
