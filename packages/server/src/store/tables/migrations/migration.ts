import type { SqlDatabase } from "../../../core/ports/sql.ts";

/** One step forward of the schema. Once released it is never changed; a correction is a new one. */
export interface Migration {
	/** Four digits and a name, as the file: `0001-core`. Kept in the database. */
	name: string;
	/** Runs inside the transaction that also records the name. One that takes long says now and then which share of it is done. */
	up(sql: SqlDatabase, done?: (share: number) => void): void;
}
