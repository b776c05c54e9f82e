import type { EventData } from "@rightseat/protocol/events/event";
import { changesOf, markUndone } from "@rightseat/protocol/fold/changes";
import type { UndoneChange } from "@rightseat/protocol/model/change";
import { type ConversationId, messageId as toMessageId } from "../kernel/ids.ts";
import type { RedactingLog } from "../log/redacting-log.ts";
import type { ChangeTracker, RecordedChange } from "../ports/changes.ts";
import type { Store } from "../ports/store.ts";

/** Tells readers of a change, and keeps on the messages what the fold shows there. */
export interface ToldChanges {
	/** Inside the caller's commit: the frame. The message that the change belongs to is the caller's business. */
	append(conversationId: ConversationId, change: RecordedChange): void;
	/** A commit of its own: the frame, the message that it belongs to if that is stored, and the marks of what was undone. */
	tell(conversationId: ConversationId, change: RecordedChange, undoes: readonly UndoneChange[]): void;
}

/** The tracker is told when a frame is durable: until then a crash tells it once more at the next start. */
export function createToldChanges(deps: {
	store: Pick<Store, "messages" | "afterCommit">;
	log: Pick<RedactingLog, "append" | "commit">;
	tracker: Pick<ChangeTracker, "told">;
}): ToldChanges {
	const { store, log } = deps;
	const { messages } = store;

	function append(conversationId: ConversationId, change: RecordedChange, undoes: readonly UndoneChange[] = []): void {
		log.append(conversationId, { type: "copilot:changes", data: frameOf(change, undoes) });
		store.afterCommit(() => deps.tracker.told([change.id]));
	}

	/** As the fold does it for whoever watches. */
	function mark(conversationId: ConversationId, { messageId, undone, changeId }: UndoneChange): void {
		if (messageId === undefined) return;
		const stored = messages.find(conversationId, toMessageId(messageId));
		const changes = stored === undefined ? undefined : markUndone(stored, [{ changeId, undone }]).metadata.changes;
		if (changes !== undefined) messages.setChanges(conversationId, toMessageId(messageId), changes);
	}

	return {
		append: (conversationId, change) => append(conversationId, change),
		tell(conversationId, change, undoes) {
			log.commit(() => {
				const { messageId, kind } = change;
				if (messageId !== undefined && (kind === "turn" || kind === "command"))
					messages.setChanges(conversationId, toMessageId(messageId), changesOf(frameOf(change)));
				for (const undone of undoes) mark(conversationId, undone);
				append(conversationId, change, undoes);
			});
		},
	};
}

function frameOf(change: RecordedChange, undoes: readonly UndoneChange[] = []): EventData<"copilot:changes"> {
	const { id, messageId, kind, files, added, removed, notCovered = 0 } = change;
	return {
		changeId: id,
		...(messageId === undefined ? {} : { messageId }),
		...{ kind, files, added, removed },
		...(notCovered === 0 ? {} : { notCovered }),
		...(undoes.length === 0 ? {} : { undoes: [...undoes] }),
	};
}
