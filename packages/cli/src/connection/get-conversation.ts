import { conversationAnswer } from "@rightseat/protocol/http/conversations";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Api } from "./api.ts";

/** The conversation with this id; throws RefusedError where there is none. */
export const getConversation = async (api: Api, id: string): Promise<Conversation> =>
	(await api.get(`/api/conversations/${encodeURIComponent(id)}`, conversationAnswer)).conversation;
