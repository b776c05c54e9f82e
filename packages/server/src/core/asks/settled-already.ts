import { AppError } from "../kernel/errors.ts";

/** For an answer that comes too late, or to nothing. */
export const settledAlready = () =>
	new AppError("request-not-found", "This was answered already, has expired, or belongs to a turn that ended.");
