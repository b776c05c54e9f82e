import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { EventLog } from "../log/event-log.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { ToldChanges } from "./told-changes.ts";
import type { WorkOf } from "./work-windows.ts";

/** Changes of work that belongs to no turn: a job that outlives its own, a tool that an agent calls after its end. */
export interface OwnChanges {
	begin(id: ConversationId): WorkOf;
	/** Settles and tells it. Never rejects. */
	end(id: ConversationId, of: WorkOf): Promise<void>;
}

/** A disk that refuses costs the frame, never the work; the next start tells what was begun. */
export function createOwnChanges(deps: {
	tracker: Pick<ChangeTracker, "settle">;
	log: Pick<EventLog, "commit">;
	told: Pick<ToldChanges, "begin" | "end">;
	ids: IdSource;
	logger: Logger;
}): OwnChanges {
	function keep(id: ConversationId, work: () => void): void {
		try {
			deps.log.commit(work);
		} catch (error) {
			deps.logger.warn({ err: error, conversationId: id }, "A change could not be stored");
		}
	}
	return {
		begin(id) {
			const changeId = deps.ids.next();
			keep(id, () => deps.told.begin({ conversationId: id, changeId }));
			return { changeId, kind: "command" };
		},
		async end(id, { changeId }) {
			const settled = await deps.tracker.settle(changeId);
			keep(id, () => void deps.told.end({ conversationId: id, changeId }, "command", settled));
		},
	};
}
