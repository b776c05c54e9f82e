import { createHash, randomBytes } from "node:crypto";
import type { McpToken, NewMcpToken } from "@rightseat/protocol/http/mcp";
import { type Clock, isoTime } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { IdSource } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";

export const MAX_TOKENS = 20;
/** One for each `rightseat mcp` that runs; the one that was used longest ago gives way. */
export const MAX_TEMPORARY_TOKENS = 64;
export const TEMPORARY_TOKEN_MS = 86_400_000;
/** When a token was last used is written down no more often. */
const USED_EVERY_MS = 60_000;
/** Every `rightseat mcp` is the same caller: it acts for the owner of this machine, and starts anew with every client. */
const LOCAL_OWNER = "local";

/** Who comes to `/mcp`. */
export interface McpCredential extends McpToken {
	/** Whose conversations and whose budget: the token's id, or one for all temporary tokens. */
	owner: string;
}

/** The credentials of `/mcp`; none of them is good for anything else. Only their SHA-256 is kept. */
export interface McpTokens {
	list(): McpToken[];
	/** The secret is given once. Throws at the limit. */
	create(wanted: NewMcpToken): { token: McpToken; secret: string };
	/** False: there is no such token. */
	revoke(id: string): boolean;
	revokeAll(): void;
	/** Ends what was made with an access token that is good no more. */
	endTemporary(): void;
	find(secret: string): McpCredential | undefined;
}

export function createMcpTokens(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	/** Learns every secret before anybody can print it. */
	hide(secret: string): void;
	onRevoked(id: string): void;
}): McpTokens {
	const { sql, clock } = deps;
	/** By digest, the one that was used longest ago first. */
	const temporary = new Map<string, { token: McpCredential; usedAt: number }>();

	function list(): McpToken[] {
		return sql.prepare("SELECT * FROM mcp_tokens ORDER BY created_at, id").all().map(tokenOf);
	}
	function create({ name, permissions, reach, temporary: isTemporary }: NewMcpToken) {
		if (!isTemporary && list().length >= MAX_TOKENS)
			throw new AppError("bad-request", `${MAX_TOKENS} tokens are enough. Revoke one first.`, {
				params: { reason: "too-many-mcp-tokens", max: MAX_TOKENS },
			});
		const secret = `rsm_${randomBytes(32).toString("base64url")}`;
		deps.hide(secret);
		const now = clock.now();
		const token: McpToken = { id: deps.ids.next(), name, permissions, reach, createdAt: isoTime(now), lastUsedAt: null };
		if (isTemporary) keepForNow(digest(secret), token);
		else {
			sql
				.prepare("INSERT INTO mcp_tokens (id, name, digest, permissions, reach, created_at) VALUES (?, ?, ?, ?, ?, ?)")
				.run(token.id, name, digest(secret), permissions, reach, now);
		}
		return { token, secret };
	}
	function keepForNow(key: string, token: McpToken) {
		const [oldest] = temporary.keys();
		if (temporary.size >= MAX_TEMPORARY_TOKENS && oldest !== undefined) end(oldest);
		temporary.set(key, { token: { ...token, owner: LOCAL_OWNER }, usedAt: clock.elapsed() });
	}
	function end(key: string) {
		const held = temporary.get(key);
		temporary.delete(key);
		if (held !== undefined) deps.onRevoked(held.token.id);
	}
	function findTemporary(key: string): McpCredential | undefined {
		const held = temporary.get(key);
		if (held === undefined) return undefined;
		if (clock.elapsed() - held.usedAt > TEMPORARY_TOKEN_MS) {
			end(key);
			return undefined;
		}
		temporary.delete(key);
		temporary.set(key, { token: held.token, usedAt: clock.elapsed() });
		return held.token;
	}
	function used(id: string, before: unknown) {
		if (typeof before === "number" && clock.now() - before < USED_EVERY_MS && clock.now() >= before) return;
		try {
			sql.prepare("UPDATE mcp_tokens SET used_at = ? WHERE id = ?").run(clock.now(), id);
		} catch (error) {
			// With a full disk, reading goes on.
			deps.logger.debug({ err: error }, "When a token was used could not be written");
		}
	}

	return {
		list,
		create,
		revoke(id) {
			for (const [key, { token }] of temporary) {
				if (token.id !== id) continue;
				end(key);
				return true;
			}
			const isGone = sql.prepare("DELETE FROM mcp_tokens WHERE id = ?").run(id).changes > 0;
			if (isGone) deps.onRevoked(id);
			return isGone;
		},
		revokeAll() {
			for (const key of [...temporary.keys()]) end(key);
			for (const { id } of list()) this.revoke(id);
		},
		endTemporary() {
			for (const key of [...temporary.keys()]) end(key);
		},
		find(secret) {
			// A look-up by digest tells nothing about a secret by the time that it takes.
			const key = digest(secret);
			const short = findTemporary(key);
			if (short !== undefined) return short;
			const row = sql.prepare("SELECT * FROM mcp_tokens WHERE digest = ?").get(key);
			if (row === undefined) return undefined;
			const token = tokenOf(row);
			used(token.id, row.used_at);
			return { ...token, owner: token.id };
		},
	};
}

const tokenOf = (row: SqlRow): McpToken => ({
	id: String(row.id),
	name: String(row.name),
	permissions: row.permissions === "auto" ? "auto" : "ask",
	reach: row.reach === "all" ? "all" : "own",
	createdAt: isoTime(Number(row.created_at)),
	lastUsedAt: row.used_at === null ? null : isoTime(Number(row.used_at)),
});

const digest = (secret: string) => createHash("sha256").update(secret, "utf8").digest("hex");
