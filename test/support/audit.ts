import type { AuditLog, AuditRecord } from "../../packages/server/src/core/ports/audit.ts";

/** An audit log that keeps nothing: each entry is heard of in the moment in which it would be written. */
export const heardAudit = (record: (entry: AuditRecord) => void): Pick<AuditLog, "record" | "entry"> => ({
	record,
	entry: (entry) => () => record(entry),
});
