import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** Admission control: what is being closed accepts nothing. A queued prompt that starts while its conversation is deleted would still reach the model. */
export interface Closing {
	/** True while this conversation is being deleted, and for all of them while the server stops. */
	has(id: ConversationId): boolean;
	/** Throws `conversation-closing` or `shutting-down`. */
	check(id: ConversationId): void;
	begin(id: ConversationId): void;
	/** It is gone, or could not be deleted: then it accepts prompts again. */
	end(id: ConversationId): void;
	/** The server stops; this cannot be undone. */
	beginAll(): void;
}

/** Everything is open at the start. */
export function createClosing(): Closing {
	const closing = new Set<ConversationId>();
	let isStopping = false;
	return {
		has: (id) => isStopping || closing.has(id),
		check(id) {
			if (isStopping) throw new AppError("shutting-down", "The server is stopping. Send it again in a moment.", { retryable: true });
			if (closing.has(id)) throw new AppError("conversation-closing", "This conversation is being deleted and takes nothing more in.");
		},
		begin(id) {
			closing.add(id);
		},
		end(id) {
			closing.delete(id);
		},
		beginAll() {
			isStopping = true;
		},
	};
}
