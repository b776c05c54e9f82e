import { createHash, randomBytes } from "node:crypto";
import type { Share } from "@rightseat/protocol/http/shares";
import { type Clock, isoTime } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { type ConversationId, conversationId, type IdSource } from "../../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../../core/ports/sql-row.ts";

/** Links that work at the same time. */
export const MAX_SHARES = 100;
const SECRET_BYTES = 32;
const HOUR_MS = 3_600_000;
/** When a guest looked last is written down no more often. */
const USED_STEP_MS = 60_000;

/** Links by which guests watch conversations. */
export interface Shares {
	/** The secret is given once. Throws `rate-limited` when there are too many. */
	make(id: ConversationId, hours: number): { share: Share; secret: string };
	/** Those that work, newest first. */
	list(): Share[];
	/** False when there is no such link. */
	revoke(id: string): boolean;
	revokeAll(): void;
	/** The conversation that this secret shows; undefined: none, or not any more. */
	find(secret: string): ConversationId | undefined;
}

export function createShares(deps: {
	sql: SqlDatabase;
	clock: Clock;
	ids: IdSource;
	/** Whether the conversation is still there. */
	exists(id: ConversationId): boolean;
}): Shares {
	const { sql, clock } = deps;

	/** What no longer works goes. */
	function list(): Share[] {
		sql.prepare("DELETE FROM shares WHERE expires_at <= ?").run(clock.now());
		const found = sql.prepare("SELECT * FROM shares ORDER BY created_at DESC, id").all().map(toShare);
		const works = ({ conversationId: id }: Share) => deps.exists(conversationId(id));
		for (const share of found) if (!works(share)) revoke(share.id);
		return found.filter(works);
	}
	const revoke = (id: string) => sql.prepare("DELETE FROM shares WHERE id = ?").run(id).changes > 0;

	return {
		make(id, hours) {
			if (list().length >= MAX_SHARES) throw tooMany();
			const secret = randomBytes(SECRET_BYTES).toString("base64url");
			const [shareId, now] = [deps.ids.next(), clock.now()];
			const expiresAt = now + hours * HOUR_MS;
			sql
				.prepare("INSERT INTO shares (id, conversation_id, digest, created_at, expires_at, used_at) VALUES (?, ?, ?, ?, ?, NULL)")
				.run(shareId, id, digestOf(secret), now, expiresAt);
			const share = { id: shareId, conversationId: id, createdAt: isoTime(now), expiresAt: isoTime(expiresAt), lastUsedAt: null };
			return { share, secret };
		},
		list,
		revoke,
		revokeAll: () => void sql.prepare("DELETE FROM shares").run(),
		find(secret) {
			const now = clock.now();
			// Compared as hashes: how long that takes says nothing about the secret.
			const row = sql.prepare("SELECT * FROM shares WHERE digest = ? AND expires_at > ?").get(digestOf(secret), now);
			if (row === undefined) return undefined;
			const id = conversationId(textColumn(row, "conversation_id"));
			if (!deps.exists(id)) return undefined;
			const used = typeof row.used_at === "number" ? row.used_at : 0;
			if (now - used >= USED_STEP_MS) sql.prepare("UPDATE shares SET used_at = ? WHERE id = ?").run(now, textColumn(row, "id"));
			return id;
		},
	};
}

const digestOf = (secret: string) => createHash("sha256").update(secret).digest("hex");

const toShare = (row: SqlRow): Share => ({
	id: textColumn(row, "id"),
	conversationId: textColumn(row, "conversation_id"),
	createdAt: isoTime(numberColumn(row, "created_at")),
	expiresAt: isoTime(numberColumn(row, "expires_at")),
	lastUsedAt: typeof row.used_at === "number" ? isoTime(row.used_at) : null,
});

const tooMany = () =>
	new AppError("rate-limited", `At most ${MAX_SHARES} links for guests work at a time. End one first.`, {
		params: { reason: "shares", max: MAX_SHARES },
	});
