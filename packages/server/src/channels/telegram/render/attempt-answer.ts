import type { Awaitable } from "../../../core/kernel/awaitable.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { TypedAnswer } from "./typed-answer.ts";

/** Somebody else may have been faster; then the message is an ordinary one. */
export function attemptAnswer(run: () => Awaitable<void>): Awaitable<TypedAnswer> {
	try {
		const done = run();
		return done instanceof Promise ? done.then(() => "answered" as const, tooLate) : "answered";
	} catch (error) {
		return tooLate(error);
	}
}

function tooLate(error: unknown): TypedAnswer {
	if (error instanceof AppError && error.code === "request-not-found") return "none";
	throw error;
}
