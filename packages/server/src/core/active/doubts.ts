import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Disk } from "../ports/disk.ts";
import type { ActiveConversations } from "./active-conversations.ts";

/**
 * After a sync has failed: conversations of which something was committed and never became durable, and those in which something ran. A power cut may take
 * that back, so nothing of them is shown and nothing is acknowledged from them until the next start. Nothing is in doubt while the disk works.
 */
export interface Doubts {
	/** Something that was committed there is lost if the power goes. */
	add(id: ConversationId): void;
	has(id: ConversationId): boolean;
	/** Throws `storage-read-only`. */
	check(id: ConversationId): void;
}

export function createDoubts(deps: { disk: Pick<Disk, "onFailed">; active: Pick<ActiveConversations, "ids"> }): Doubts {
	const inDoubt = new Set<ConversationId>();
	// What runs there goes on in memory, and nothing of it can be stored.
	deps.disk.onFailed(() => {
		for (const id of deps.active.ids()) inDoubt.add(id);
	});
	return {
		add: (id) => void inDoubt.add(id),
		has: (id) => inDoubt.has(id),
		check(id) {
			if (inDoubt.has(id)) throw new AppError("storage-read-only", IN_DOUBT_MESSAGE, { retryable: true, params: { reason: "in-doubt" } });
		},
	};
}

const IN_DOUBT_MESSAGE =
	"The disk failed while this conversation was being saved, so it cannot be shown until Rightseat is restarted. What you were shown of it is kept. Check the disk, then restart Rightseat.";
