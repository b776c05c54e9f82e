import { isIP } from "node:net";
import * as z from "zod";
import { type Clock, isoTime } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";

export const MAX_PASSKEYS = 20;
const MAX_CHALLENGES = 100;
const CHALLENGE_MS = 5 * 60_000;

const base64url = z
	.string()
	.regex(/^[\w-]*$/)
	.max(16_384);
const common = { id: base64url, rawId: base64url, type: z.literal("public-key"), clientExtensionResults: z.object({}).default({}) };
export const registrationSchema = z.object({
	...common,
	response: z.object({
		clientDataJSON: base64url,
		attestationObject: base64url,
		transports: z
			.array(z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]))
			.max(10)
			.optional(),
	}),
});
export const assertionSchema = z.object({
	...common,
	response: z.object({
		clientDataJSON: base64url,
		authenticatorData: base64url,
		signature: base64url,
		userHandle: base64url.optional(),
	}),
});

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
	registrationOptions(page: PageAddress): Promise<object>;
	register(page: PageAddress, response: z.infer<typeof registrationSchema>, name: string): Promise<boolean>;
	loginOptions(page: PageAddress): Promise<object>;
	verify(page: PageAddress, response: z.infer<typeof assertionSchema>): Promise<boolean>;
}

export function createPasskeys(deps: { sql: SqlDatabase; clock: Clock }): Passkeys {
	const { sql, clock } = deps;
	/** Challenges we gave out, each good for one answer. */
	const challenges = new Map<string, { purpose: Purpose; expiresAt: number }>();
	// Loaded at first use: it costs half a second, and most people never make a passkey.
	const library = () => import("@simplewebauthn/server");

	function remember(challenge: string, purpose: Purpose) {
		for (const [old, { expiresAt }] of challenges) if (expiresAt <= clock.now()) challenges.delete(old);
		const oldest = challenges.keys().next();
		if (challenges.size >= MAX_CHALLENGES && oldest.done !== true) challenges.delete(oldest.value);
		challenges.set(challenge, { purpose, expiresAt: clock.now() + CHALLENGE_MS });
	}
	const take = (purpose: Purpose) => (challenge: string) => {
		const known = challenges.get(challenge);
		challenges.delete(challenge);
		return known !== undefined && known.purpose === purpose && known.expiresAt > clock.now();
	};
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
		async registrationOptions(page) {
			const rpID = nameOf(page);
			const { generateRegistrationOptions } = await library();
			const options = await generateRegistrationOptions({
				rpName: "Rightseat",
				rpID,
				userName: "owner",
				excludeCredentials: rows(rpID).map((row) => ({ id: String(row.id) })),
				authenticatorSelection: { residentKey: "required", userVerification: "required" },
			});
			remember(options.challenge, "register");
			return options;
		},
		async register(page, response, name) {
			if (this.count() >= MAX_PASSKEYS) throw new AppError("bad-request", `${MAX_PASSKEYS} passkeys are enough. Remove one first.`);
			const { verifyRegistrationResponse } = await library();
			const result = await settled(
				verifyRegistrationResponse({
					response,
					expectedChallenge: take("register"),
					expectedOrigin: page.origin,
					expectedRPID: nameOf(page),
				}),
			);
			if (result?.verified !== true) return false;
			const { id, publicKey, counter } = result.registrationInfo.credential;
			sql
				.prepare(
					"INSERT OR REPLACE INTO passkeys (id, public_key, counter, transports, name, host, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
				)
				.run(id, publicKey, counter, JSON.stringify(response.response.transports ?? []), name, nameOf(page), clock.now());
			return true;
		},
		async loginOptions(page) {
			const { generateAuthenticationOptions } = await library();
			const options = await generateAuthenticationOptions({ rpID: nameOf(page), userVerification: "required" });
			remember(options.challenge, "login");
			return options;
		},
		async verify(page, response) {
			const row = rows(nameOf(page)).find((candidate) => candidate.id === response.id);
			if (row === undefined) return false;
			const { verifyAuthenticationResponse } = await library();
			const result = await settled(
				verifyAuthenticationResponse({
					response,
					expectedChallenge: take("login"),
					expectedOrigin: page.origin,
					expectedRPID: nameOf(page),
					credential: credentialOf(row),
				}),
			);
			if (result?.verified !== true) return false;
			sql.prepare("UPDATE passkeys SET counter = ? WHERE id = ?").run(result.authenticationInfo.newCounter, response.id);
			return true;
		},
	};
}

type Purpose = "register" | "login";

function credentialOf(row: SqlRow) {
	if (!(row.public_key instanceof Uint8Array)) throw new Error("A passkey without its key.");
	return { id: String(row.id), publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) };
}

function nameOf(page: PageAddress): string {
	if (isIP(page.hostname) !== 0 || page.hostname.startsWith("[")) {
		throw new AppError("bad-request", "Passkeys belong to a name. Open the page under localhost or under its https name.");
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
