/** Stored in the database: names may be added, never renamed. */
export const AUDIT_KINDS = [
	"login",
	"login-failed",
	"logout",
	"logout-everywhere",
	"session-revoked",
	"login-code",
	"token-rotated",
	"permission",
	"permission-mode",
	"answer",
	"command",
	"conversation-deleted",
	"terminal",
	"settings",
	"telegram",
	"push",
	"undo",
	"redo",
	"commit",
	"git-push",
	"pull-request",
	"worktree",
	"mcp",
	"mcp-token",
	"model-account",
	"reach",
	"fleet",
	"share",
	"budget",
	"plan",
	"schedule",
	"folder-trust",
	"permission-rule",
	"rule-used",
] as const;
/** What was done. */
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** An entry as it is shown; `id` is its place in the log. */
export interface AuditEntry {
	id: number;
	at: string;
	kind: AuditKind;
	/** Where it came from: an address, `telegram Ann (7)`, … */
	source: string;
	detail: string;
}

/** An entry as it is handed in; redaction and bounds are the log's business. */
export interface AuditRecord {
	kind: AuditKind;
	source: string;
	detail?: string;
	/** The attempt was above the rate limit: counted, not written. */
	limited?: boolean;
}

/** Who came in and what they allowed, ran and changed, on every channel; bounded, newest kept. */
export interface AuditLog {
	/** Never throws: with a full disk people must still be able to come in, look and stop things. */
	record(entry: AuditRecord): void;
	/** For whoever stores what was done, in the same transaction: writes the entry as of now. Throws when the disk refuses, and may be called again. */
	entry(entry: AuditRecord): () => void;
	list(page: { before?: number; limit: number }): { entries: AuditEntry[]; nextCursor?: string };
}
