import { AppError } from "../../core/kernel/errors.ts";

/** What an error of SQLite means for the store, by its primary result code. */
export type SqlFault = "busy" | "full" | "read-only" | "disk" | "damaged" | "index" | "unique" | "foreign-key" | "other";

const UNIQUE = 2067;
const PRIMARY_KEY = 1555;
const FOREIGN_KEY = 787;
/** The search index contradicts itself; the tables are not concerned. */
const DAMAGED_INDEX = 267;
/** The file ends before a page that should be in it. */
const SHORT_READ = 522;
const NO_SPACE_FOR_SHM = 4874;

export function sqlFault(error: unknown): SqlFault {
	const code = errorCode(error);
	if (code === UNIQUE || code === PRIMARY_KEY) return "unique";
	if (code === FOREIGN_KEY) return "foreign-key";
	if (code === DAMAGED_INDEX) return "index";
	if (code === SHORT_READ) return "damaged";
	if (code === NO_SPACE_FOR_SHM) return "full";
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
	reader: "Another program has the database open, so nothing new can be saved yet. Close that program; Rightseat then goes on by itself.",
} as const;

/** The error that callers see; unknown ones pass through unchanged. */
export function toStorageError(error: unknown): unknown {
	const fault = sqlFault(error);
	switch (fault) {
		case "busy":
			return new AppError("storage-busy", "Another program is using the database. Try again in a moment.", {
				cause: error,
				retryable: true,
				params: { reason: "another-program" },
			});
		case "full":
		case "read-only":
		case "disk":
			return new AppError("storage-read-only", READ_ONLY_MESSAGES[fault], { cause: error, retryable: true, params: { reason: fault } });
		default:
			return error;
	}
}

// `all()` of @photostructure/sqlite 1.2 raises errors without a code, with SQLite's own fixed sentences.
const CODES_BY_MESSAGE: readonly (readonly [RegExp, number])[] = [
	[/^database (table )?is locked/, 5],
	[/^database or disk is full/, 13],
	[/^attempt to write a readonly database/, 8],
	[/^disk I\/O error/, 10],
	[/^unable to open database file/, 14],
	[/^database disk image is malformed/, 11],
	[/^file is not a database/, 26],
];

function errorCode(error: unknown) {
	if (!(error instanceof Error)) return 0;
	// A row that is stepped to raises it with the code of a damaged database, which would stop all writing.
	if (error.message.startsWith("fts5: corrupt")) return DAMAGED_INDEX;
	if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
	return CODES_BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1] ?? 0;
}
