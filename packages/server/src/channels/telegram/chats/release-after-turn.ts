import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";

/** Closes the conversation's agent session once a turn that was just stopped has ended. */
export async function releaseAfterTurn(
	conversations: Pick<EveryConversations, "active" | "release" | "onChange">,
	id: ConversationId,
): Promise<void> {
	if (conversations.active().includes(id)) await ended(conversations, id);
	await conversations.release(id);
}

function ended(conversations: Pick<EveryConversations, "active" | "release" | "onChange">, id: ConversationId): Promise<void> {
	return new Promise((resolve) => {
		const off = conversations.onChange((change) => {
			if (conversations.active().includes(id) && change.kind !== "deleted") return;
			off();
			resolve();
		});
	});
}
