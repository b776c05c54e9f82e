import { AppError } from "../../../core/kernel/errors.ts";
import { healthMessage } from "./health-message.ts";

/** Why there is no runtime to work with, each with the values of its sentence. Trying again may help with all of them. */
export const runtimeErrors = {
	startFailed: (because: string, cause: unknown) =>
		new AppError("runtime-start-failed", healthMessage.startFailed(because), {
			cause,
			retryable: true,
			params: { reason: "tried-again", because },
		}),
	died: (because: string) =>
		new AppError("runtime-died", healthMessage.died(because), { retryable: true, params: { reason: "in-a-turn", because } }),
	replaced: () =>
		new AppError("runtime-died", "The Copilot runtime was replaced by a fresh one. Send the message again.", {
			retryable: true,
			params: { reason: "replaced" },
		}),
	noAnswer: () =>
		new AppError("runtime-died", "The Copilot runtime does not answer. Send the message again.", {
			retryable: true,
			params: { reason: "no-answer" },
		}),
	resting: (because: string) => new AppError("runtime-resting", healthMessage.resting(because), { retryable: true, params: { because } }),
};
