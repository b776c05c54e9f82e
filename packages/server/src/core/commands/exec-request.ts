import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId, ExecId } from "../kernel/ids.ts";

/** A command as a channel hands it in; `clientMessageId` makes it idempotent. */
export interface ExecCommand {
	conversationId: ConversationId;
	command: string;
	clientMessageId?: string;
	origin: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** The command is stored; `duplicate` when it was before. */
export interface ExecReceipt {
	execId: ExecId;
	duplicate: boolean;
}
