import { AppError } from "../core/errors.ts";

/** What an error of SQLite means for the store, by its primary result code. */
export type SqlFault = "busy" | "full" | "read-only" | "disk" | "damaged" | "unique" | "foreign-key" | "other";

const UNIQUE = 2067;
const PRIMARY_KEY = 1555;
const FOREIGN_KEY = 787;

export function sqlFault(error: unknown): SqlFault {
	const code = errorCode(error);
	if (code === UNIQUE || code === PRIMARY_KEY) return "unique";
	if (code === FOREIGN_KEY) return "foreign-key";
	switch (code & 0xff) {
		case 5:
		case 6:
			return "busy";
		case 13:
			return "full";
		case 8:
			return "read-only";
		// A file that cannot grow or be created shows up as an I/O error or as "unable to open", seldom as FULL.
		case 10:
		case 14:
			return "disk";
		case 11:
		case 26:
			return "damaged";
		default:
			return "other";
	}
}

export const READ_ONLY_MESSAGES = {
	full: "The disk is full. What is stored can be read, but nothing new can be saved until there is free space.",
	"read-only": "The database cannot be written: its file or disk is read-only. What is stored can be read; check the permissions.",
	disk: "The disk does not accept writes. What is stored can be read, but nothing new can be saved until the disk works again.",
} as const;

/** The error that callers see; unknown ones pass through unchanged. */
export function toStorageError(error: unknown): unknown {
	const fault = sqlFault(error);
	switch (fault) {
		case "busy":
			return new AppError("storage-busy", "Another program is using the database. Try again in a moment.", {
				cause: error,
				retryable: true,
			});
		case "full":
		case "read-only":
		case "disk":
			return new AppError("storage-read-only", READ_ONLY_MESSAGES[fault], { cause: error, retryable: true });
		default:
			return error;
	}
}

function errorCode(error: unknown) {
	if (typeof error !== "object" || error === null || !("errcode" in error)) return 0;
	return typeof error.errcode === "number" ? error.errcode : 0;
}
