import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";

/** Tells of known conversations that are deleted. One of another host may only be missing in its list: its host is asked. */
export function onDeleted(
	conversations: Pick<EveryConversations, "onChange" | "pending">,
	isKnown: (id: ConversationId) => boolean,
	listener: (id: ConversationId) => void,
): () => void {
	let isOver = false;
	async function ask(id: ConversationId): Promise<void> {
		try {
			await conversations.pending(id);
		} catch (error) {
			if (!isOver && error instanceof AppError && error.code === "conversation-not-found") listener(id);
		}
	}
	const off = conversations.onChange((change) => {
		if (change.kind !== "deleted" || !isKnown(change.id)) return;
		if (splitRemoteId(change.id) === undefined) listener(change.id);
		else void ask(change.id);
	});
	return () => {
		isOver = true;
		off();
	};
}
