import type { DecodedServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { isLogged, type ServerFrame } from "@rightseat/protocol/frames/server";
import type { ConversationFrame } from "../conversation/apply-frame.ts";
import type { ConversationSync } from "../conversation/conversation-sync.ts";
import type { Outbox, OutboxItem } from "../outbox/outbox.ts";
import type { AppState } from "./app-state.ts";
import type { PageState } from "./page-state.ts";

/** Takes frames that arrived together: events change the views first, replies follow, listeners hear of all of them last. */
export function createFrameReceiver(deps: {
	state: PageState;
	sync: Pick<ConversationSync, "apply" | "invalidate">;
	outbox: Pick<Outbox, "shown">;
	reply: (frame: ServerFrame) => void;
	tell: (frame: ServerFrame) => void;
}): (decoded: readonly DecodedServerFrame[]) => void {
	const { state, sync, outbox, reply, tell } = deps;
	return (decoded) => {
		const events: ConversationFrame[] = [];
		const replies: ServerFrame[] = [];
		for (const item of decoded) {
			if (item.kind === "malformed" && item.conversationId !== undefined) sync.invalidate(item.conversationId);
			if (item.kind === "unknown" && item.event !== undefined) events.push({ type: "unknown-event", data: item.event });
			if (item.kind !== "frame") continue;
			if (isConversationFrame(item.frame)) events.push(item.frame);
			else replies.push(item.frame);
		}
		sync.apply(events);
		for (const frame of replies) reply(frame);
		outbox.shown((item) => isOnScreen(state.get(), item));
		for (const item of decoded) if (item.kind === "frame") tell(item.frame);
	};
}

function isConversationFrame(frame: ServerFrame): frame is Extract<ServerFrame, ConversationFrame> {
	if (frame.type === "copilot:snapshot" || frame.type === "copilot:stream-status") return true;
	return isLogged(frame);
}

function isOnScreen({ views }: AppState, { conversationId, messageId }: OutboxItem): boolean {
	const view = views[conversationId];
	if (view === undefined) return false;
	return view.messages.some(({ id }) => id === messageId) || view.queue.some((item) => item.messageId === messageId);
}
