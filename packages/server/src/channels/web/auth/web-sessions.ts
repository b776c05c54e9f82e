import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";
import type { IdSource } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";

export const SESSION_IDLE_MS = 14 * 24 * 3_600_000;
export const SESSION_ABSOLUTE_MS = 90 * 24 * 3_600_000;
/** Use is written down at most this often. */
const TOUCH_MS = 60_000;
const MAX_SESSIONS = 100;

/** A logged-in browser. */
export interface WebSession {
	id: string;
	createdAt: number;
	lastSeenAt: number;
	address: string;
	userAgent: string;
	/** How the person got in. */
	method: LoginMethod;
}
export type LoginMethod = "token" | "code" | "password" | "passkey";

/** Logins in SQLite, as hashes. Whatever ends a session tells the listeners at once, so that its sockets end with it. */
export interface WebSessions {
	/** Returns the cookie's value; only its hash is kept. */
	create(from: { address: string; userAgent: string; method: LoginMethod }): { session: WebSession; secret: string };
	/** The session behind a cookie's value, if it is still good. */
	find(secret: string): WebSession | undefined;
	/** False when it ended or ran out meanwhile. */
	alive(id: string): boolean;
	list(): WebSession[];
	end(id: string): boolean;
	/** All of them, but for the one named. */
	endAll(except?: string): void;
	onEnd(listener: (id: string) => void): () => void;
}

export function createWebSessions(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	tokenFingerprint: () => string;
}): WebSessions {
	const { sql, clock } = deps;
	const listeners = new Set<(id: string) => void>();
	const tell = (id: string) => {
		for (const listener of listeners) listener(id);
	};
	const good = () => [clock.now() - SESSION_IDLE_MS, clock.now() - SESSION_ABSOLUTE_MS, deps.tokenFingerprint()] as const;
	const GOOD = "last_seen_at > ? AND created_at > ? AND token_hash = ?";

	function touch(session: WebSession): WebSession {
		if (clock.now() - session.lastSeenAt < TOUCH_MS) return session;
		try {
			sql.prepare("UPDATE web_sessions SET last_seen_at = ? WHERE id = ?").run(clock.now(), session.id);
		} catch (error) {
			// With a full disk people must still be able to read.
			deps.logger.warn({ error }, "The use of a login could not be written down.");
		}
		return { ...session, lastSeenAt: clock.now() };
	}
	function prune() {
		const old = sql.prepare(`SELECT id FROM web_sessions WHERE NOT (${GOOD})`).all(...good());
		const surplus = sql.prepare("SELECT id FROM web_sessions ORDER BY last_seen_at DESC LIMIT -1 OFFSET ?").all(MAX_SESSIONS - 1);
		for (const row of [...old, ...surplus]) end(String(row.id));
	}
	function end(id: string): boolean {
		const ended = sql.prepare("DELETE FROM web_sessions WHERE id = ?").run(id).changes > 0;
		if (ended) tell(id);
		return ended;
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
		alive: (id) => sql.prepare(`SELECT 1 AS found FROM web_sessions WHERE id = ? AND ${GOOD}`).get(id, ...good()) !== undefined,
		list: () =>
			sql
				.prepare(`SELECT * FROM web_sessions WHERE ${GOOD} ORDER BY last_seen_at DESC`)
				.all(...good())
				.map(sessionOf),
		end,
		endAll(except) {
			for (const row of sql.prepare("SELECT id FROM web_sessions").all()) if (row.id !== except) end(String(row.id));
		},
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
