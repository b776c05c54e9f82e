import { AppError } from "../kernel/errors.ts";
import type { ChangeTracker } from "../ports/changes.ts";

/** Records nothing: for a server, or a test, without a tracker. */
export function createNoTracker(): ChangeTracker {
	const unavailable = () => Promise.reject(changesUnavailable());
	const nothing = async () => undefined;
	return {
		prepare: () => undefined,
		openWindow: () => undefined,
		addPaths: () => undefined,
		closeWindow: nothing,
		settle: async () => ({ kind: "nothing" }),
		recall: nothing,
		list: unavailable,
		get: unavailable,
		diff: unavailable,
		hunks: unavailable,
		content: unavailable,
		undo: unavailable,
		forget: nothing,
		close: nothing,
	};
}

/** The process that records does not answer. */
const changesUnavailable = () =>
	new AppError("changes-unavailable", "The recorder of changes does not answer. It is being started again; try again in a moment.", {
		retryable: true,
	});
