import { AppError } from "../../../core/kernel/errors.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import type { Presence } from "../../../services/presence/presence.ts";
import type { WsHandler } from "./router.ts";

/** `presence:*` of one connection: no notification is sent about what is on its visible screen. */
export function createPresenceHandler(presence: Presence): WsHandler {
	const screen = presence.screen();
	return {
		handle(frame) {
			if (frame.type !== "presence:set")
				throw new AppError("unknown-type", `Nothing here handles "${frame.type}".`, { params: { type: frame.type } });
			const { visible, conversationId: id } = frame.data;
			screen.show(visible && id !== undefined ? conversationId(id) : undefined);
		},
		onDisconnect: () => screen.close(),
	};
}
