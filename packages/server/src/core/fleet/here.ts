import { remoteIdOf } from "@rightseat/protocol/fleet/ids";
import type { Conversation } from "@rightseat/protocol/model/conversation";

/** A conversation of another host as it is called here. */
export const toHere = (host: string, name: string, conversation: Conversation): Conversation => ({
	...conversation,
	id: remoteIdOf(host, conversation.id),
	...(conversation.forkedFrom && {
		forkedFrom: { ...conversation.forkedFrom, conversationId: remoteIdOf(host, conversation.forkedFrom.conversationId) },
	}),
	host: { id: host, name },
});
