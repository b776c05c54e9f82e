import type { Message } from "@rightseat/protocol/model/message";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import type { CoreContext } from "../active/core-context.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import { toContextItem } from "./bash-context.ts";

/** Tells every reader how a prompt or a `!cmd` result is stored now. Whoever changes one and does not say so leaves two versions on two screens. */
export function announceUpdate(core: CoreContext, id: ConversationId, messageId: MessageId): void {
	const message = core.store.messages.find(id, messageId);
	if (message?.role !== "user") return;
	const { content, metadata, createdAt } = message;
	core.log.append(id, { type: "copilot:message_updated", data: { messageId, content, metadata, createdAt } });
}

/** Tells every reader which `!cmd` results the next prompt will carry. */
export function announceContext(core: CoreContext, id: ConversationId): void {
	core.log.append(id, { type: "bash:context", data: { items: core.store.messages.pendingContext(id).map(toContextItem) } });
}

export function toQueueItem({ id, content, metadata }: Message): QueueItem {
	const clientMessageId = "clientMessageId" in metadata ? metadata.clientMessageId : undefined;
	return { messageId: id, content, ...(clientMessageId === undefined ? {} : { clientMessageId }) };
}
