import { asideAnswer, compactAnswer, contextAnswer } from "@rightseat/protocol/http/context";
import type { ConversationContext } from "../context/context.ts";
import { type ConversationId, type IdSource, messageId as toMessageId } from "../kernel/ids.ts";
import { type Place, type RemoteCalls, readWith, SOMEBODY } from "./remote-calls.ts";

/** The context of a conversation of another host, and side questions to its model. Asked again on the way, it is done once. */
export function createRemoteContext(
	calls: Pick<RemoteCalls, "json">,
	ids: IdSource,
	placeOf: (id: ConversationId) => Place & { conversationId: string },
): ConversationContext {
	const pathOf = (id: ConversationId, rest: string) => `/api/conversations/${placeOf(id).conversationId}/${rest}`;
	return {
		async lookAtContext(id) {
			return readWith(contextAnswer, await calls.json(placeOf(id), { method: "GET", path: pathOf(id, "context") }, SOMEBODY));
		},
		async compact(id, { origin, from, clientMessageId = ids.next() }) {
			const request = { method: "POST" as const, path: pathOf(id, "compact"), body: { requestId: clientMessageId } };
			const answer = await calls.json(placeOf(id), request, from === undefined ? { origin } : { origin, from });
			const { messageId, duplicate } = readWith(compactAnswer, answer);
			return { messageId: toMessageId(messageId), duplicate, delivery: "started" };
		},
		async askAside(id, { question, requestId = ids.next() }) {
			const request = { method: "POST" as const, path: pathOf(id, "aside"), body: { question, requestId } };
			return readWith(asideAnswer, await calls.json(placeOf(id), request, SOMEBODY)).answer;
		},
	};
}
