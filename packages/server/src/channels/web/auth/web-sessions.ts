import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";

export const SESSION_IDLE_MS = 14 * 24 * 3_600_000;
export const SESSION_ABSOLUTE_MS = 90 * 24 * 3_600_000;
/** The time of last use is stored at most this often. */
const TOUCH_MS = 60_000;
/** An open socket is use, too, and there may be many of them: theirs is stored less often. */
const SOCKET_TOUCH_MS = 10 * 60_000;
const MAX_SESSIONS = 100;
/** Logins that were ended on purpose, remembered until their cookie would have expired anyway. */
const MAX_REVOKED = 1_000;

/** A logged-in browser. */
export interface WebSession {
	id: string;
	createdAt: number;
	lastSeenAt: number;
	address: string;
	userAgent: string;
	/** How the person logged in. */
	method: LoginMethod;
}
export type LoginMethod = "token" | "code" | "password" | "passkey";

/** Logins in SQLite, as hashes. Whatever ends a session tells the listeners at once, so that its sockets end with it. */
export interface WebSessions {
	/** Returns the cookie's value; only its hash is kept. */
	create(from: { address: string; userAgent: string; method: LoginMethod }): { session: WebSession; secret: string };
	/** The session behind a cookie's value, if it is still valid. */
	find(secret: string): WebSession | undefined;
	/** False when it ended or expired meanwhile. While its socket is open it is in use. */
	alive(id: string): boolean;
	list(): WebSession[];
	/** The person logs out. */
	end(id: string): boolean;
	/** Revokes this device; whoever comes with its cookie later gets `login-revoked`. */
	revoke(id: string): boolean;
	/** Revokes all of them but the one named. */
	revokeAll(except?: string): void;
	/** The cookie's login was revoked; it did not expire. */
	wasRevoked(secret: string): boolean;
	/** The token was replaced; this one stays logged in under the new one. */
	keep(id: string): void;
	onEnd(listener: (id: string, how: { isRevoked: boolean }) => void): () => void;
}

export function createWebSessions(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	tokenFingerprint: () => string;
}): WebSessions {
	const { sql, clock } = deps;
	const listeners = new Set<Parameters<WebSessions["onEnd"]>[0]>();
	const good = () => [clock.now() - SESSION_IDLE_MS, clock.now() - SESSION_ABSOLUTE_MS, deps.tokenFingerprint()] as const;
	const GOOD = "last_seen_at > ? AND created_at > ? AND token_hash = ?";

	function touch(session: WebSession, afterMs = TOUCH_MS): WebSession {
		if (clock.now() - session.lastSeenAt < afterMs) return session;
		try {
			sql.prepare("UPDATE web_sessions SET last_seen_at = ? WHERE id = ?").run(clock.now(), session.id);
		} catch (error) {
			// With a full disk people must still be able to read.
			deps.logger.warn({ err: error }, "The use of a login could not be written down");
		}
		return { ...session, lastSeenAt: clock.now() };
	}
	function prune() {
		// A new token revokes all of them, also when it was replaced while no server ran.
		for (const row of sql.prepare("SELECT id FROM web_sessions WHERE token_hash <> ?").all(deps.tokenFingerprint())) revoke(String(row.id));
		const old = sql.prepare(`SELECT id FROM web_sessions WHERE NOT (${GOOD})`).all(...good());
		const surplus = sql.prepare("SELECT id FROM web_sessions ORDER BY last_seen_at DESC LIMIT -1 OFFSET ?").all(MAX_SESSIONS - 1);
		for (const row of [...old, ...surplus]) end(String(row.id));
	}
	function end(id: string, how = { isRevoked: false }): boolean {
		const ended = sql.prepare("DELETE FROM web_sessions WHERE id = ?").run(id).changes > 0;
		if (ended) for (const listener of listeners) listener(id, how);
		return ended;
	}
	function revoke(id: string): boolean {
		sql.transaction(() => {
			sql
				.prepare("INSERT OR IGNORE INTO revoked_sessions (secret_hash, revoked_at) SELECT secret_hash, ? FROM web_sessions WHERE id = ?")
				.run(clock.now(), id);
			sql
				.prepare(
					"DELETE FROM revoked_sessions WHERE revoked_at <= ? OR secret_hash NOT IN (SELECT secret_hash FROM revoked_sessions ORDER BY revoked_at DESC LIMIT ?)",
				)
				.run(clock.now() - SESSION_ABSOLUTE_MS, MAX_REVOKED);
		});
		return end(id, { isRevoked: true });
	}

	return {
		create(from) {
			prune();
			const secret = randomBytes(32).toString("base64url");
			const now = clock.now();
			const session: WebSession = {
				id: deps.ids.next(),
				createdAt: now,
				lastSeenAt: now,
				address: from.address.slice(0, 64),
				userAgent: from.userAgent.slice(0, 300),
				method: from.method,
			};
			sql
				.prepare(
					"INSERT INTO web_sessions (id, secret_hash, token_hash, created_at, last_seen_at, address, user_agent, method) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				)
				.run(session.id, hashOf(secret), deps.tokenFingerprint(), now, now, session.address, session.userAgent, session.method);
			return { session, secret };
		},
		find(secret) {
			const row = sql.prepare(`SELECT * FROM web_sessions WHERE secret_hash = ? AND ${GOOD}`).get(hashOf(secret), ...good());
			return row === undefined ? undefined : touch(sessionOf(row));
		},
		alive(id) {
			const row = sql.prepare(`SELECT * FROM web_sessions WHERE id = ? AND ${GOOD}`).get(id, ...good());
			if (row === undefined) return false;
			touch(sessionOf(row), SOCKET_TOUCH_MS);
			return true;
		},
		list: () =>
			sql
				.prepare(`SELECT * FROM web_sessions WHERE ${GOOD} ORDER BY last_seen_at DESC`)
				.all(...good())
				.map(sessionOf),
		end,
		revoke,
		revokeAll(except) {
			for (const row of sql.prepare("SELECT id FROM web_sessions").all()) if (row.id !== except) revoke(String(row.id));
		},
		wasRevoked(secret) {
			const hash = hashOf(secret);
			const revoked = sql.prepare("SELECT 1 AS found FROM revoked_sessions WHERE secret_hash = ?").get(hash);
			const other = sql.prepare("SELECT 1 AS found FROM web_sessions WHERE secret_hash = ? AND token_hash <> ?");
			return revoked !== undefined || other.get(hash, deps.tokenFingerprint()) !== undefined;
		},
		keep: (id) => void sql.prepare("UPDATE web_sessions SET token_hash = ? WHERE id = ?").run(deps.tokenFingerprint(), id),
		onEnd(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

const METHODS: readonly LoginMethod[] = ["token", "code", "password", "passkey"];

function sessionOf(row: SqlRow): WebSession {
	return {
		id: String(row.id),
		createdAt: Number(row.created_at),
		lastSeenAt: Number(row.last_seen_at),
		address: String(row.address),
		userAgent: String(row.user_agent),
		method: METHODS.find((method) => method === row.method) ?? "token",
	};
}

const hashOf = (secret: string) => createHash("sha256").update(secret, "utf8").digest("hex");
