import type { Message } from "@rightseat/protocol/model/message";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import { MAX_FILE_CHARS } from "./final-answer.ts";

/** What is stored of a conversation and known here, at once. */
export interface StoredMessages {
	/** The newest messages. */
	recent: (id: ConversationId, limit: number) => Message[];
	/** The whole text of one, of which those may have only the beginning; undefined on other hosts. */
	wholeText: (id: ConversationId, messageId: string) => Iterable<string> | undefined;
}

/** The text of a stored message, as much as a file may have. `watched`: what was heard of it here. */
export type WholeContent = (stored: Pick<Message, "id" | "content" | "truncated">, watched?: string) => { content: string; isCut: boolean };

/** Pages and snapshots have only the beginning of a very long message: sent as the whole answer, the rest would be lost for the chat. */
export function createWholeContent(read: (messageId: string) => Iterable<string> | undefined): WholeContent {
	return ({ id, content, truncated }, watched = "") => {
		const length = truncated?.content;
		if (length === undefined) return { content, isCut: false };
		if (watched.length >= length) return { content: watched, isCut: false };
		const pieces = read(id);
		if (pieces === undefined) return { content, isCut: true };
		let text = "";
		for (const piece of pieces) {
			text += piece;
			if (text.length > MAX_FILE_CHARS) break;
		}
		return { content: text, isCut: false };
	};
}
