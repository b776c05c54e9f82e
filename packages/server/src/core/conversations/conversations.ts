import type { DayBudget } from "@rightseat/protocol/http/budget";
import type { ConversationPatch, NewConversation } from "@rightseat/protocol/http/requests";
import type { UsageRow } from "@rightseat/protocol/http/usage";
import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import type { ContextItem } from "@rightseat/protocol/model/command";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { FormRequest } from "@rightseat/protocol/model/form";
import type { Message } from "@rightseat/protocol/model/message";
import type { QueueItem } from "@rightseat/protocol/model/queue";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ConversationChange } from "../active/conversation-changes.ts";
import type { FormResponse } from "../asks/forms.ts";
import type { PendingRequests, PermissionResponse, PlanResponse, QuestionResponse } from "../asks/responses.ts";
import type { FileChanges } from "../changes/file-changes.ts";
import type { ExecCommand, ExecReceipt } from "../commands/exec-request.ts";
import type { ConversationContext } from "../context/context.ts";
import type { ForkRequest } from "../forks/forks.ts";
import type { EveryInbox, Inbox } from "../inbox/inbox.ts";
import type { Actor } from "../kernel/actor.ts";
import type { Awaitable } from "../kernel/awaitable.ts";
import type { ConversationId, ExecId, MessageId } from "../kernel/ids.ts";
import type { Subscriber, Subscription } from "../log/stream-hub.ts";
import type { HandedOver } from "../ports/listed-sessions.ts";
import type { SearchResult } from "../ports/store.ts";
import type { UsageRange } from "../ports/usage.ts";
import type { PromptReceipt, PromptRequest } from "../turns/prompt-request.ts";
import type { StopSubAgent } from "../turns/stop-sub-agent.ts";
import type { BudgetResponse } from "../usage/budgets.ts";
import type { SessionChoice } from "./agent-sessions.ts";
import type { ExportFormat } from "./export-conversation.ts";
import type { HtmlManner, HtmlPiece } from "./export-html.ts";

/**
 * The one service that every channel speaks to. Calls that fail throw AppError with a code and a sentence for people;
 * calls that return have committed.
 */
export interface Conversations extends ConversationContext {
	/**
	 * Rejects with `unknown-agent`, `unknown-model` or `cwd-missing`; with a session, also with `session-not-found` or `session-taken`.
	 * `isMade` is called in the commit that makes it: what it writes is there together with the conversation, and if it throws, neither is.
	 */
	create(input: Omit<NewConversation, "permissions">, isMade?: (made: Conversation) => void): Promise<Conversation>;
	/** Rejects as `create` would; nothing is created. */
	check(input: Omit<NewConversation, "permissions" | "sessionId">): Promise<void>;
	/** Sessions that an agent keeps and that a conversation can be created with, a page each. */
	agentSessions(agent: string, cursor?: string): Promise<SessionChoice>;
	/** Copies its session to where another program of the agent goes on with it; rejects while a turn runs. */
	handOver(id: ConversationId): Promise<HandedOver>;
	list(page?: { limit?: number; cursor?: string; archived?: boolean }): { conversations: Conversation[]; nextCursor?: string };
	/** Throws `conversation-not-found`. */
	get(id: ConversationId): Conversation;
	find(id: ConversationId): Conversation | undefined;
	update(id: ConversationId, patch: ConversationPatch, actor?: Actor): Promise<Conversation>;
	/** Goes on from a message in a new conversation; the original stays as it is. See `Forks`. */
	fork(id: ConversationId, request: ForkRequest, origin: Origin): Promise<Conversation>;
	/** What was forked from it, oldest first. */
	forks(id: ConversationId): Conversation[];
	/** Stops what runs, removes everything. `isGone` is called in the commit that removes it, long before the last of it is tidied away. */
	delete(id: ConversationId, actor?: Actor, isGone?: () => void): Promise<void>;
	messages(id: ConversationId, page: { before?: MessageId; limit: number }): { messages: Message[]; nextCursor?: string };
	/** The whole message as JSON text, in pieces. Throws `message-not-found`. */
	message(id: ConversationId, message: MessageId): Iterable<string>;
	/** The whole text of a message, in pieces; a page has only the beginning of a very long one. Throws `message-not-found`. */
	wholeText(id: ConversationId, message: MessageId): Iterable<string>;
	/** One call of a tool, whole, of a stored answer or of the running turn. Throws `message-not-found`. */
	tool(id: ConversationId, message: MessageId, toolCallId: string): ToolRecord;
	search(query: string, limit?: number): Promise<SearchResult[]>;
	export(id: ConversationId, format: ExportFormat, how?: HtmlManner): Iterable<HtmlPiece>;
	/** The newest messages and the running answer as a page without script that asks again by itself. */
	watchPage(id: ConversationId, how: HtmlManner): Iterable<HtmlPiece>;
	/** created, updated, deleted; to every connection. */
	onChange(listener: (change: ConversationChange) => void): () => void;

	/** Stores the prompt and starts, queues or steers it. Returns when committed; the turn runs in the background. */
	prompt(request: PromptRequest): PromptReceipt;
	/** Stops the running turn, or only this one; queued prompts stay. Nothing running is fine. True if something was stopped. */
	abort(id: ConversationId, turn?: MessageId): boolean;
	/** See `StopSubAgent`. */
	stopSubAgent: StopSubAgent;
	/** Conversations with a running turn. */
	active(): ConversationId[];
	/** The prompt whose turn runs there now; unknown of another host. */
	answering(id: ConversationId): MessageId | undefined;
	/** The first answer wins; throws `request-not-found` when it is settled already or unknown. */
	answer(response: QuestionResponse): void;
	/** Like `answer`, for permission requests. */
	decide(response: PermissionResponse): void;
	/** Like `answer`, for limits that are reached; throws `bad-request` when the new limit is used up already. */
	decideBudget(response: BudgetResponse): void;
	/** Like `answer`, for plans; throws `bad-request` for an action that was not offered. */
	decidePlan(response: PlanResponse): void;
	/** Like `answer`, for forms; throws `form-invalid` with the field that is wrong, and the form waits on. */
	fillIn(response: FormResponse): void;
	/**
	 * Runs one of these calls, `prompt` or `exec` so that what `write` writes is stored in the same commit as what it stores first: both are there, or neither
	 * is, whenever the disk takes them. `isWritten` is false, and `write` is not called, when nothing was stored, or another host keeps it.
	 */
	storedWith<T>(write: () => void, answer: () => T): { result: T; isWritten: boolean };
	/** Questions, permission requests, plans, reached limits and forms that wait for a person. */
	pending(id: ConversationId): PendingRequests & { budgets: BudgetRequest[]; forms: FormRequest[] };

	/** What was used in these days. */
	usage(range: UsageRange): UsageRow[];
	/** What all conversations together may use in a day. */
	dayBudget(): DayBudget;
	/** What waits for a limit that is raised or taken away goes on. */
	setDayBudget(budget: DayBudget, actor?: Actor): void;

	queue(id: ConversationId): QueueItem[];
	editQueued(id: ConversationId, message: MessageId, content: string): void;
	moveQueued(id: ConversationId, message: MessageId, toIndex: number): void;
	dropQueued(id: ConversationId, message: MessageId): void;
	/** Steers a queued prompt into the running turn. */
	sendQueuedNow(id: ConversationId, message: MessageId): void;

	/** Runs a person's command in the conversation's shell. Returns when committed; output and end come as events. */
	exec(request: ExecCommand): ExecReceipt;
	/** True if it was running. A command on another host is found by its conversation. */
	killExec(execId: ExecId, id?: ConversationId): boolean;
	/** Results of commands that the next prompt carries, oldest first. */
	pendingBashContext(id: ConversationId): ContextItem[];
	dropBashContext(id: ConversationId, message: MessageId): void;
	trimBashContext(id: ConversationId, message: MessageId, maxChars: number): void;
	/** Forgets the shell state of this conversation. */
	restartShell(id: ConversationId): void;

	/** What waits for a person or was not seen yet, over all conversations. */
	readonly inbox: Inbox;
	/** What it changed in files, and the way back. */
	readonly changes: FileChanges;

	/** Status, then every event after the position once and in order, or a snapshot; then what follows live. Synchronous. */
	subscribe(id: ConversationId, position: { epoch?: string; lastSeq?: number }, subscriber: Subscriber): Subscription;
	/** Live events from now on, without a status first. */
	follow(id: ConversationId, subscriber: Subscriber): Subscription;
	/** Releases the agent session unless a turn runs in it; it stays resumable and the next prompt opens it again. */
	release(id: ConversationId): Promise<void>;
	/** Drains: lets running turns end or marks them interrupted, flushes, releases sessions. Bounded in time. */
	close(graceMs: number): Promise<void>;
}

/** What may have to be asked of another host. */
type AskedOfHosts =
	| "messages"
	| "message"
	| "tool"
	| "export"
	| "prompt"
	| "abort"
	| "answer"
	| "decide"
	| "decideBudget"
	| "decidePlan"
	| "fillIn"
	| "pending"
	| "queue"
	| "editQueued"
	| "moveQueued"
	| "dropQueued"
	| "sendQueuedNow"
	| "exec"
	| "killExec"
	| "pendingBashContext"
	| "dropBashContext"
	| "trimBashContext"
	| "restartShell";

/** Conversations of this host and of others, as channels see them: what another host may have to be asked for is awaited. */
export type EveryConversations = Omit<Conversations, AskedOfHosts | "wholeText" | "inbox"> & { readonly inbox: EveryInbox } & {
	[Call in AskedOfHosts]: (...args: Parameters<Conversations[Call]>) => Awaitable<ReturnType<Conversations[Call]>>;
};
