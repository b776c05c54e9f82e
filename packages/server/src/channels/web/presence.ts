import type { ClientFrame } from "@rightseat/protocol/client-frames";
import { AppError } from "../../core/errors.ts";
import { type ConversationId, conversationId } from "../../core/ids.ts";
import type { WsHandler } from "./ws/router.ts";

/** Which conversations are on a visible screen right now. */
export interface Presence {
	watched(id: ConversationId): boolean;
	/** `presence:*` of one connection. */
	handler(): WsHandler;
}

export function createPresence(): Presence {
	const looking = new Map<WsHandler, ConversationId>();
	return {
		watched: (id) => [...looking.values()].includes(id),
		handler() {
			const handler: WsHandler = {
				handle(frame: ClientFrame) {
					if (frame.type !== "presence:set") throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`);
					const { visible, conversationId: id } = frame.data;
					if (visible && id !== undefined) looking.set(handler, conversationId(id));
					else looking.delete(handler);
				},
				onDisconnect: () => looking.delete(handler),
			};
			return handler;
		},
	};
}
