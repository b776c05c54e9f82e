import type { SqlRow } from "./sql.ts";

/** Typed reads of one column; a column of another type means that query and schema disagree. */
export function textColumn(row: SqlRow, name: string): string {
	const value = row[name];
	if (typeof value !== "string") throw wrongType(name, "text");
	return value;
}

export function textOrNullColumn(row: SqlRow, name: string): string | null {
	return row[name] === null ? null : textColumn(row, name);
}

export function numberColumn(row: SqlRow, name: string): number {
	const value = row[name];
	if (typeof value !== "number") throw wrongType(name, "a number");
	return value;
}

export function numberOrNullColumn(row: SqlRow, name: string): number | null {
	return row[name] === null ? null : numberColumn(row, name);
}

const wrongType = (name: string, type: string) => new TypeError(`Column ${name} should be ${type}.`);
