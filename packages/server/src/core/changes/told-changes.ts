import type { EventData } from "@rightseat/protocol/events/event";
import { changesOf, markUndone } from "@rightseat/protocol/fold/changes";
import type { MessageChanges, UndoneChange } from "@rightseat/protocol/model/change";
import { type ConversationId, messageId as toMessageId } from "../kernel/ids.ts";
import type { RedactingLog } from "../log/redacting-log.ts";
import type { RecalledChange, RecordedChange, SettledChange } from "../ports/changes.ts";
import type { Store } from "../ports/store.ts";
import { MAX_UNTOLD, type UntoldChange, type UntoldChanges } from "./untold-changes.ts";

/** Tells readers of changes, exactly once each, and keeps on the messages what the fold shows there. */
export interface ToldChanges {
	/** Something begins that may change files: told later, or by the next start. Inside the caller's commit. */
	begin(change: UntoldChange): void;
	/** It is over. Inside the caller's commit, which stores the result on its message. Undefined: there is nothing to say. */
	end(change: UntoldChange & { messageId?: string }, kind: "turn" | "command", settled: SettledChange): MessageChanges | undefined;
	/** A commit of its own: the frame, what its message says if that is stored, and the marks of what was undone. */
	tell(conversationId: ConversationId, recalled: RecalledChange): void;
	/** There is nothing to tell after all. */
	drop(changeId: string): void;
	/** There is nothing more to tell; where something was said to be missing, nothing is. */
	endWithNothing(conversationId: ConversationId, changeId: string): void;
}

/** Where the recorder was down for the whole of a change, the one thing that is known is that something is missing. */
const NOTHING = { files: 0, added: 0, removed: 0, notCovered: 0 };
const UNRECORDED = { files: 0, added: 0, removed: 0, notCovered: 1 };

export function createToldChanges(deps: {
	store: Pick<Store, "messages">;
	log: Pick<RedactingLog, "append" | "commit">;
	untold: Pick<UntoldChanges, "add" | "remove">;
	/** The tracker did not say what this change is. */
	missed(changeId: string): void;
}): ToldChanges {
	const { log, untold } = deps;
	const { messages } = deps.store;
	/** What was told before everything was looked at. */
	const partial = new Map<string, RecordedChange>();

	/** As the fold does it for whoever watches. */
	function mark(conversationId: ConversationId, { messageId, undone, changeId }: UndoneChange): void {
		if (messageId === undefined) return;
		const stored = messages.find(conversationId, toMessageId(messageId));
		const changes = stored === undefined ? undefined : markUndone(stored, [{ changeId, undone }]).metadata.changes;
		if (changes !== undefined) messages.setChanges(conversationId, toMessageId(messageId), changes);
	}

	function tell(conversationId: ConversationId, { change, undoes }: RecalledChange): void {
		partial.delete(change.id);
		log.commit(() => {
			const { messageId, kind } = change;
			const isOwn = kind === "turn" || kind === "command";
			if (messageId !== undefined && isOwn) messages.setChanges(conversationId, toMessageId(messageId), changesOf(frameOf(change)));
			// One that was told before may have been undone meanwhile.
			const marks =
				isOwn && change.undone ? [...undoes, { changeId: change.id, undone: true, ...(messageId !== undefined && { messageId }) }] : undoes;
			for (const undone of marks) mark(conversationId, undone);
			log.append(conversationId, { type: "copilot:changes", data: frameOf(change, marks) });
			untold.remove(change.id);
		});
	}

	function drop(changeId: string): void {
		partial.delete(changeId);
		log.commit(() => untold.remove(changeId));
	}

	return {
		begin: untold.add,
		end({ conversationId, changeId, messageId }, kind, settled) {
			// Without an answer it stays on the list: what was recorded of it is told when the recorder is back.
			const isPartial = settled.kind === "changed" && settled.change.partial === true;
			if (settled.kind === "unavailable" || isPartial) deps.missed(changeId);
			else untold.remove(changeId);
			if (isPartial && partial.size < MAX_UNTOLD) partial.set(changeId, settled.change);
			if (settled.kind === "nothing") return undefined;
			const data =
				settled.kind === "changed"
					? frameOf(settled.change)
					: { changeId, kind, ...(messageId === undefined ? {} : { messageId }), ...UNRECORDED };
			log.append(conversationId, { type: "copilot:changes", data });
			return changesOf(data);
		},
		tell,
		drop,
		endWithNothing(conversationId, changeId) {
			const told = partial.get(changeId);
			if (told === undefined) drop(changeId);
			else tell(conversationId, { change: { ...told, ...NOTHING }, undoes: [] });
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
