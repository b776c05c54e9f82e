import { isIP } from "node:net";
import type { assertionSchema, registrationSchema } from "@rightseat/protocol/http/credential-requests";
import type * as z from "zod/mini";
import { type Clock, isoTime } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";
import { createChallenges } from "./challenges.ts";

const MAX_PASSKEYS = 20;

/** Under which address the browser shows our page. */
export interface PageAddress {
	/** Scheme, name and port. */
	origin: string;
	hostname: string;
}

/** Keys in phones, computers and sticks. They belong to a name, so they need `localhost` or a name with TLS. */
export interface Passkeys {
	count(): number;
	list(): { id: string; name: string; host: string; createdAt: string }[];
	remove(id: string): boolean;
	removeAll(): void;
	/** `by`: who is logged in and asks; only they can answer. */
	registrationOptions(page: PageAddress, by: string): Promise<SealedOptions>;
	register(answer: RegistrationAnswer): Promise<boolean>;
	loginOptions(page: PageAddress): Promise<SealedOptions>;
	/** Only under an origin where the passkey was made, or under the public address: another port of the same name is another server. */
	verify(response: z.infer<typeof assertionSchema>, seal: string | undefined): Promise<boolean>;
}
/** For the browser: what its dialog needs, and the seal that it must bring back. */
export interface SealedOptions {
	options: object;
	seal: string;
}
export interface RegistrationAnswer {
	page: PageAddress;
	by: string;
	response: z.infer<typeof registrationSchema>;
	seal: string | undefined;
	name: string;
}

export function createPasskeys(deps: {
	sql: SqlDatabase;
	clock: Clock;
	/** The port we listen on. */
	port(): number;
	publicOrigins(): readonly string[];
}): Passkeys {
	const { sql, clock } = deps;
	const challenges = createChallenges(clock);
	// Loaded at first use: it costs half a second, and most people never make a passkey.
	const library = () => import("@simplewebauthn/server");

	function originsOf(row: SqlRow): string[] {
		const host = String(row.host);
		const made = row.origin === null ? originBefore(host, deps.port()) : String(row.origin);
		const publicOrigins = deps.publicOrigins().map((address) => new URL(address));
		return [made, ...publicOrigins.filter(({ hostname }) => hostname === host).map(({ origin }) => origin)];
	}
	const rows = (host: string) => sql.prepare("SELECT * FROM passkeys WHERE host = ? ORDER BY created_at").all(host);

	return {
		count: () => Number(sql.prepare("SELECT COUNT(*) AS n FROM passkeys").get()?.n ?? 0),
		list: () =>
			sql
				.prepare("SELECT id, name, host, created_at FROM passkeys ORDER BY created_at")
				.all()
				.map((row) => ({
					id: String(row.id),
					name: String(row.name),
					host: String(row.host),
					createdAt: isoTime(Number(row.created_at)),
				})),
		remove: (id) => sql.prepare("DELETE FROM passkeys WHERE id = ?").run(id).changes > 0,
		removeAll: () => void sql.prepare("DELETE FROM passkeys").run(),
		async registrationOptions(page, by) {
			const rpID = nameOf(page);
			const { generateRegistrationOptions } = await library();
			const options = await generateRegistrationOptions({
				rpName: "Rightseat",
				rpID,
				userName: "owner",
				excludeCredentials: rows(rpID).map((row) => ({ id: String(row.id) })),
				authenticatorSelection: { residentKey: "required", userVerification: "required" },
			});
			return { options, seal: challenges.seal(options.challenge, `register ${by}`) };
		},
		async register({ page, by, response, seal, name }) {
			if (this.count() >= MAX_PASSKEYS)
				throw new AppError("bad-request", `${MAX_PASSKEYS} passkeys are enough. Remove one first.`, {
					params: { reason: "too-many-passkeys", max: MAX_PASSKEYS },
				});
			const { verifyRegistrationResponse } = await library();
			const heard = { challenge: "" };
			const result = await settled(
				verifyRegistrationResponse({
					response,
					expectedChallenge: hear(heard, (challenge) => challenges.isOpen(challenge, `register ${by}`, seal)),
					expectedOrigin: page.origin,
					expectedRPID: nameOf(page),
				}),
			);
			if (result?.verified !== true || !challenges.spend(heard.challenge)) return false;
			const { id, publicKey, counter } = result.registrationInfo.credential;
			sql
				.prepare(
					"INSERT OR REPLACE INTO passkeys (id, public_key, counter, transports, name, host, origin, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				)
				.run(id, publicKey, counter, JSON.stringify(response.response.transports ?? []), name, nameOf(page), page.origin, clock.now());
			return true;
		},
		async loginOptions(page) {
			const { generateAuthenticationOptions } = await library();
			const options = await generateAuthenticationOptions({ rpID: nameOf(page), userVerification: "required" });
			return { options, seal: challenges.seal(options.challenge, "login") };
		},
		async verify(response, seal) {
			const row = sql.prepare("SELECT * FROM passkeys WHERE id = ?").get(response.id);
			if (row === undefined) return false;
			const { verifyAuthenticationResponse } = await library();
			const heard = { challenge: "" };
			const result = await settled(
				verifyAuthenticationResponse({
					response,
					expectedChallenge: hear(heard, (challenge) => challenges.isOpen(challenge, "login", seal)),
					expectedOrigin: originsOf(row),
					expectedRPID: String(row.host),
					credential: credentialOf(row),
				}),
			);
			if (result?.verified !== true || !challenges.spend(heard.challenge)) return false;
			sql.prepare("UPDATE passkeys SET counter = ? WHERE id = ?").run(result.authenticationInfo.newCounter, response.id);
			return true;
		},
	};
}

/** The library hands the challenge of an answer to a check; it is needed once more after the signature was verified. */
function hear(into: { challenge: string }, check: (challenge: string) => boolean) {
	return (challenge: string) => {
		into.challenge = challenge;
		return check(challenge);
	};
}

/** Where a passkey must have been made whose row does not say so: an older version did not store it. */
function originBefore(host: string, port: number): string {
	return host === "localhost" || host.endsWith(".localhost") ? `http://${host}:${port}` : `https://${host}`;
}

function credentialOf(row: SqlRow) {
	if (!(row.public_key instanceof Uint8Array)) throw new AppError("internal", "A passkey without its key.");
	return { id: String(row.id), publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) };
}

function nameOf(page: PageAddress): string {
	if (isIP(page.hostname) !== 0 || page.hostname.startsWith("[")) {
		throw new AppError("bad-request", "Passkeys belong to a name. Open the page under localhost or under its https name.", {
			params: { reason: "passkey-needs-a-name" },
		});
	}
	return page.hostname;
}

/** The library throws for an answer that is wrong in any way; to us that is simply not verified. */
async function settled<T>(verification: Promise<T>): Promise<T | undefined> {
	try {
		return await verification;
	} catch (error) {
		if (error instanceof Error) return undefined;
		throw error;
	}
}
