import type { PermissionMode } from "@rightseat/protocol/model/vocabulary";
import type { RememberedPermissions } from "../asks/remembered/remembered-permissions.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Chains } from "../log/chains.ts";
import type { AgentSetups } from "../ports/agent-setup.ts";
import type { AgentTool } from "../ports/agent-tool.ts";
import type { Agents } from "../ports/agents.ts";
import type { AuditLog } from "../ports/audit.ts";
import type { ChangeTracker } from "../ports/changes.ts";
import type { Directories } from "../ports/directories.ts";
import type { Shell } from "../ports/shell.ts";
import type { Store } from "../ports/store.ts";

/** What core is given from outside. Only `createConversations` sees all of it; its parts name what they need. */
export interface CoreDeps {
	store: Store;
	agents: Agents;
	shell: Shell;
	directories: Directories;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	config: CoreConfig;
	/** Takes our own secrets out of what is shown, stored and given to a model; anything may print one. */
	redactor?: Redactor;
	/** The bound over rings, buffers and running turns; one of its own without it. */
	memory?: MemoryLedger;
	/** Where what people do is recorded; nowhere without it. */
	audit?: Pick<AuditLog, "record" | "entry">;
	/** Records what happens to files; nothing does without it. */
	tracker?: ChangeTracker;
	/** MCP servers and what else agents are given; nothing without it. */
	setups?: AgentSetups;
	/** Removes files of attachments whose conversation is gone. */
	discardFiles?(paths: string[]): Promise<void>;
	/** The file again as another attachment of that conversation; undefined: it is gone. */
	copyAttachment?(id: string, to: ConversationId): Promise<string | undefined>;
	/** Whether a path is a file that a person attached in this conversation, and still that file: the agent reads it without asking. Nothing is without it. */
	isOwnUpload?(conversationId: ConversationId, path: string): Promise<boolean>;
	/** What people allowed for good, by folder; nothing is remembered without it. */
	remembered?: RememberedPermissions | undefined;
	/** In a fleet: what tells this host's logs from others with the same numbers. Nothing is computed without it. */
	chains?: Chains | undefined;
	/** Whether a page shows this conversation on a visible screen; none does without it. */
	isWatched?(conversationId: ConversationId): boolean;
	/** Tools beside the shell's, such as sending a file to a chat. */
	extraTools?(conversationId: ConversationId): AgentTool[];
}

/** Functions are asked every time, because people change those settings while the server runs. */
export interface CoreConfig {
	/** Model, permission mode and directory of a new conversation; people change them while the server runs. */
	defaultModel(): string | undefined;
	permissions(): PermissionMode;
	workdir(): string;
	/** Whether conversations are named by their model; not without it. */
	titles?(): boolean;
	askTimeoutMs: number;
	maxTurns: number;
}
