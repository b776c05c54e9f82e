import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { ConversationStore } from "../ports/store.ts";
import type { ToldChanges } from "./told-changes.ts";
import type { UntoldChange, UntoldChanges } from "./untold-changes.ts";

/** Between two attempts while the tracker does not answer. */
const RECALL_AGAIN_MS = 10_000;

/** Tells what was begun and never told: after a crash, or when the tracker was down at the end of a turn. */
export interface RecallChanges {
	/** Begins with what an earlier process left; not waited for. */
	start(): void;
	/** One more was missed. */
	later(): void;
	close(): void;
}

/** Tries until the tracker has answered about every one; a change that it does not know is dropped. */
export function createRecallChanges(deps: {
	tracker: Pick<ChangeTracker, "recall">;
	conversations: Pick<ConversationStore, "find">;
	untold: Pick<UntoldChanges, "left">;
	told: Pick<ToldChanges, "tell" | "drop" | "endWithNothing">;
	clock: Clock;
	logger: Logger;
}): RecallChanges {
	let scheduled: Cancel | undefined;
	let isClosed = false;

	async function recall({ conversationId, changeId }: UntoldChange): Promise<void> {
		if (deps.conversations.find(conversationId) === undefined) {
			deps.told.drop(changeId);
			return;
		}
		const known = await deps.tracker.recall(conversationId, changeId);
		if (isClosed) return;
		if (known === undefined) deps.told.endWithNothing(conversationId, changeId);
		else deps.told.tell(conversationId, known);
	}

	async function run(): Promise<void> {
		try {
			for (const change of deps.untold.left()) await recall(change);
		} catch (error) {
			if (isClosed) return;
			deps.logger.warn({ err: error }, "What changed before could not be told yet");
			later();
		}
	}

	function later(): void {
		if (scheduled !== undefined || isClosed) return;
		scheduled = deps.clock.after(RECALL_AGAIN_MS, () => {
			scheduled = undefined;
			void run();
		});
	}

	return {
		start: () => void run(),
		later,
		close() {
			isClosed = true;
			scheduled?.();
		},
	};
}
