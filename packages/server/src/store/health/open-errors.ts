import { AppError } from "../../core/kernel/errors.ts";
import { READ_ONLY_MESSAGES, sqlFault, toStorageError } from "../sqlite/sql-errors.ts";

/** Why a database could not be opened, as a sentence that says what to check. */
export function toOpenError(path: string, error: unknown): unknown {
	if (error instanceof AppError) return error;
	const fault = sqlFault(error);
	if (fault === "full" || hasCode(error, "ENOSPC")) return unusable(path, READ_ONLY_MESSAGES.full, error);
	if (fault === "read-only" || fault === "disk" || isSystemError(error)) return unusable(path, CHECK_PERMISSIONS, error);
	return toStorageError(error);
}

const CHECK_PERMISSIONS = "Check that the file and its directory belong to you, and that the disk works and can be written.";

const unusable = (path: string, reason: string, cause: unknown) =>
	new AppError("storage-read-only", `The database ${path} cannot be opened for writing. ${reason}`, {
		cause,
		params: { reason: reason === READ_ONLY_MESSAGES.full ? "not-opened-full" : "not-opened", path },
	});

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
const isSystemError = (error: unknown) => error instanceof Error && "syscall" in error;
