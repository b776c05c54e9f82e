import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId, ExecId } from "../kernel/ids.ts";

export interface ExecCommand {
	conversationId: ConversationId;
	command: string;
	clientMessageId?: string;
	origin: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

export interface ExecReceipt {
	execId: ExecId;
	duplicate: boolean;
}
