import { readFileSync } from "node:fs";
import {
	type Authenticator,
	credsAuthenticator,
	nkeyAuthenticator,
	tokenAuthenticator,
	usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { existing, keptFiles } from "./kept-files.ts";

/** How this host may log in at the engine. */
export interface LoginConfig {
	/** A file as `nsc` makes it, or with a seed, a token, or `user:password`. */
	credsFile?: string | undefined;
	/** Folder with what was kept when this host joined; see `keptFiles`. */
	keptIn?: string | undefined;
	/** `user:password` that only lets newcomers knock, in place of everything else. */
	door?: string | undefined;
}

/** The ways to log in, one after the other: what was named or sent by the inviter, then this host's own key. */
export interface Logins {
	/** Reads the files anew for every connection, so that new ones count without a restart. */
	readonly authenticator: Authenticator;
	/** The engine said no. True: the next connection tries another way, which was not refused since the last success. */
	refused(): boolean;
	accepted(): void;
}

export function createLogins(config: LoginConfig): Logins {
	let [way, refusals] = [0, 0];
	const ways = () => waysOf(config);
	return {
		authenticator(nonce) {
			const all = ways();
			return all[way % all.length]?.(nonce);
		},
		refused() {
			way += 1;
			refusals += 1;
			if (refusals < ways().length) return true;
			refusals = 0;
			return false;
		},
		accepted() {
			refusals = 0;
		},
	};
}

function waysOf({ credsFile, keptIn, door }: LoginConfig): Authenticator[] {
	if (door !== undefined) return [authenticatorOf(Buffer.from(door))];
	const kept = keptIn === undefined ? undefined : keptFiles(keptIn);
	const shared = credsFile ?? (kept && existing(kept.creds));
	const own = kept && existing(kept.key);
	return [
		shared === undefined ? nobody : (nonce) => authenticatorOf(readFileSync(shared))(nonce),
		...(own === undefined ? [] : [(nonce?: string) => authenticatorOf(readFileSync(own))(nonce)]),
	];
}

/** An engine that asks for nothing. */
const nobody: Authenticator = () => undefined;

function authenticatorOf(bytes: Buffer): Authenticator {
	const text = bytes.toString("utf8").trim();
	if (text.includes("BEGIN NATS USER JWT")) return credsAuthenticator(bytes);
	if (isSeed(text)) return nkeyAuthenticator(Buffer.from(text));
	const [user = "", ...password] = text.split(":");
	return password.length === 0 ? tokenAuthenticator(text) : usernamePasswordAuthenticator(user, password.join(":"));
}

const isSeed = (text: string) => /^SU[A-Z2-7]{56}$/.test(text);

/** What newcomers are sent, so that they need no file: a password or token that members share. A key is of one host, and stays there. */
export function sharedLogin({ credsFile, keptIn }: LoginConfig): string | undefined {
	const file = credsFile ?? (keptIn === undefined ? undefined : existing(keptFiles(keptIn).creds));
	if (file === undefined) return undefined;
	const text = readFileSync(file, "utf8").trim();
	return text.includes("BEGIN NATS USER JWT") || isSeed(text) || text.length > MAX_LOGIN_CHARS ? undefined : text;
}

/** A longer password or token is not sent. */
const MAX_LOGIN_CHARS = 1_024;
