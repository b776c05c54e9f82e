import type { Message } from "@rightseat/protocol/model/message";
import { useActions } from "../../state/use-page.tsx";

/** Gives all of a message's text: at once, or fetched where only its beginning is here; undefined when that failed, which is said then. */
export function useWholeText(options: {
	conversationId: string;
	message: Message;
	partial: boolean;
}): () => string | Promise<string | undefined> {
	const { conversationId, message, partial } = options;
	const { loadMessage } = useActions();
	return () => (partial ? loadMessage(conversationId, message.id).then((whole) => whole?.content) : message.content);
}
