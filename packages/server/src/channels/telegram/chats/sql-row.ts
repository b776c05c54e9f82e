import type { SqlRow } from "../../../core/ports/sql.ts";

/** Typed reads of one column; a column of another type means that query and schema disagree. */
export function textOf(row: SqlRow, name: string): string {
	const value = row[name];
	if (typeof value !== "string") throw new TypeError(`Column ${name} should be text.`);
	return value;
}

export function numberOf(row: SqlRow, name: string): number {
	const value = row[name];
	// Ids of chats and people need 52 bits at most.
	if (typeof value === "bigint") return Number(value);
	if (typeof value !== "number") throw new TypeError(`Column ${name} should be a number.`);
	return value;
}

export const textOrUndefined = (row: SqlRow, name: string) => (row[name] === null ? undefined : textOf(row, name));
export const numberOrUndefined = (row: SqlRow, name: string) => (row[name] === null ? undefined : numberOf(row, name));
