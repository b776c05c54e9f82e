import { AppError, toAppError } from "../../../core/kernel/errors.ts";
import type { Messages } from "./messages.ts";

/** An error of the bot itself: its sentence is in the person's language already. */
export class SpokenError extends AppError {}

/** What to tell a person about an error. */
export function errorText(words: Messages, error: unknown): string {
	const known = toAppError(error);
	return known instanceof SpokenError ? known.message : words.error(known);
}
