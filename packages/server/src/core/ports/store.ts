import type { MessageChanges } from "@rightseat/protocol/model/change";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Message, UserMetadata } from "@rightseat/protocol/model/message";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import type { PermissionMode } from "@rightseat/protocol/model/vocabulary";
import type { AppError } from "../kernel/errors.ts";
import type { ConversationId, Epoch, ExecId, MessageId, Seq } from "../kernel/ids.ts";
import type { Disk } from "./disk.ts";
import type { InboxStore } from "./inbox-store.ts";
import type { PermissionRuleStore } from "./permission-rules.ts";
import type { ScheduleStore } from "./schedule-store.ts";
import type { TodoStore } from "./todo-store.ts";
import type { UsageStore } from "./usage.ts";
import type { WholeMessage } from "./whole-message.ts";

/** Everything core keeps. All calls are synchronous and may be joined in one transaction. */
export interface Store {
	/** Commits when `work` returns, rolls back when it throws; nested calls join the outer one. */
	transaction<T>(work: () => T extends Promise<unknown> ? never : T): T;
	/**
	 * Runs, in order, when everything committed so far survives a power cut, at once when it does already; dropped on rollback. When a sync has failed,
	 * before or while it waits, `lost` runs instead: what was committed with it may be gone after a power cut.
	 */
	afterCommit(run: () => void, lost?: (error: AppError) => void): void;
	/** Resolves when everything committed so far survives a power cut; rejects when the disk failed. Nothing of it may be shown or acted on before. */
	durable(): Promise<void>;
	readonly disk: Disk;
	readonly conversations: ConversationStore;
	readonly messages: MessageStore;
	readonly events: EventStore;
	readonly turns: TurnStore;
	readonly commands: CommandStore;
	readonly attachments: AttachmentStore;
	readonly inbox: InboxStore;
	readonly settings: SettingsStore;
	readonly usage: UsageStore;
	readonly schedules: ScheduleStore;
	readonly permissionRules: PermissionRuleStore;
	readonly todos: TodoStore;
}

/** A conversation as kept; `status` is how its last turn ended, never `streaming`. */
export interface ConversationRow {
	id: ConversationId;
	title: string;
	/** The title was given by a person and is not to be replaced by a generated one. */
	titleFixed: boolean;
	/** Which agent drives it, for good. */
	agent: string;
	model: string;
	/** How its agent works; `agent`: as it does by itself. */
	mode: string;
	/** Empty: whatever the agent takes by itself. */
	effort: string;
	/** Of the agents of its folder; empty: none. */
	agentProfile: string;
	cwd: string;
	sdkSessionId: string | null;
	/** Goes on from a session that the agent had before, and no stored answer says yet that what was said there is not shown. */
	isContinued: boolean;
	/** The conversation that it was forked from, and the message there; null where nothing stood before. */
	forkedFrom: ConversationId | null;
	forkedAt: MessageId | null;
	/** What the sender of the fork called it, for idempotency. */
	forkKey: string | null;
	/** From this message on its agent knows nothing: the next prompt tells it. */
	untoldFrom: MessageId | null;
	/** Its messages are still being copied: no list shows it, and a start removes it. */
	isForming: boolean;
	pinned: boolean;
	archived: boolean;
	permissions: PermissionMode;
	/** MCP servers that are switched off, by name, each `false`. */
	mcp: Record<string, boolean>;
	budget: Exclude<Conversation["budget"], undefined>;
	status: Exclude<Conversation["status"], "streaming">;
	epoch: Epoch;
	headSeq: Seq;
	createdAt: number;
	updatedAt: number;
}

/** Conversations, without what belongs to them. */
export interface ConversationStore {
	insert(row: ConversationRow): void;
	find(id: ConversationId): ConversationRow | undefined;
	/** The conversation that has this session of this agent. */
	findBySession(agent: string, sdkSessionId: string): ConversationRow | undefined;
	/** Changes the named fields. `updatedAt` only if given. */
	update(id: ConversationId, patch: Partial<Omit<ConversationRow, "id" | "agent" | "createdAt">>): void;
	/** The log grows by so many events: where it stood before, or undefined if the conversation is gone. */
	advance(id: ConversationId, by: number): Pick<ConversationRow, "epoch" | "headSeq"> | undefined;
	/** With messages, events and all; false if it did not exist. */
	delete(id: ConversationId): boolean;
	/** Pinned first, then newest activity. `cursor` is opaque, from an earlier page. Without `archived`: both kinds. */
	list(page: { limit: number; cursor?: string; archived?: boolean }): { rows: ConversationRow[]; nextCursor?: string };
	/** What was forked from it, oldest first. */
	forksOf(id: ConversationId): ConversationRow[];
	countForks(id: ConversationId): number;
	/** Forks that a crash cut off while their messages were copied. */
	forming(): ConversationId[];
	/** Every conversation's epoch is replaced: continuity with what clients saw is no longer certain. */
	replaceEpochs(next: () => Epoch): void;
}

/** A message to be stored; id and time are made when they are not given. */
export interface NewMessage {
	id?: MessageId;
	role: "user" | "assistant";
	content: string;
	metadata: object;
	createdAt?: number;
	clientMessageId?: string;
	/** Hash of what was sent, to tell a repeated send from a reused id. */
	payloadHash?: string;
}

/** Messages are given as a page shows them: of an answer that is very large the beginning, marked `truncated`; what people sent is always whole. */
export interface MessageStore {
	/** Adds a message at the end (queued ones stay behind it). */
	addMessage(conversationId: ConversationId, message: NewMessage): Message;
	find(conversationId: ConversationId, id: MessageId): Message | undefined;
	findByClientId(conversationId: ConversationId, clientMessageId: string): { message: Message; payloadHash: string | null } | undefined;
	/** A message with this client id that was deleted; the newest thousand of a conversation are remembered. */
	findRemoved(conversationId: ConversationId, clientMessageId: string): { messageId: MessageId; payloadHash: string | null } | undefined;
	/** Newest page first, oldest first within it. Leaves out queued prompts unless asked. Unknown `before`: empty page. With `maxBytes` as many as fit, at least one; what does not fit is not read. */
	page(
		conversationId: ConversationId,
		page: { before?: MessageId; limit: number; withQueued?: boolean; maxBytes?: number },
	): { messages: Message[]; nextCursor?: string };
	/** Replaces content and/or metadata of what a person sent; the search index follows. A prompt that leaves the queue by this stands at the end. Answers do not change. */
	update(conversationId: ConversationId, id: MessageId, patch: { content?: string; metadata?: object }): void;
	/** Its client id stays known to `findRemoved`. */
	delete(conversationId: ConversationId, id: MessageId): void;
	/** Queued prompts (metadata.delivery === "queued") in queue order. */
	queued(conversationId: ConversationId): Message[];
	/** Sets the queue order; ids not named keep their place at the end. */
	orderQueue(conversationId: ConversationId, ids: MessageId[]): void;
	/** `!cmd` results waiting for the next prompt (metadata.context === "pending"), oldest first. */
	pendingContext(conversationId: ConversationId): Message[];
	/** Conversations that have queued prompts. */
	conversationsWithQueue(): ConversationId[];
	/** Newest match first; finds two-letter words, prefixes and Chinese. Bounded by `limit` (default 50). */
	search(query: string, limit?: number): Promise<SearchResult[]>;
	/** All messages, oldest first, for an export; one at a time, so memory stays bounded. */
	iterate(conversationId: ConversationId): Iterable<WholeMessage>;
	/** One message with the way to all of it. */
	open(conversationId: ConversationId, id: MessageId): WholeMessage | undefined;
	/** One call of an answer, whole. */
	findTool(conversationId: ConversationId, id: MessageId, toolCallId: string): ToolRecord | undefined;
	/** What an answer, or a `!cmd`, says about the files that it changed; a message that is gone is fine. */
	setChanges(conversationId: ConversationId, id: MessageId, changes: MessageChanges): void;
	/** The agent's own name for a prompt that it took, by which its history can be cut there. A message that is gone is fine. */
	setMark(conversationId: ConversationId, id: MessageId, mark: string): void;
	/** Where a fork before this message cuts, or without one at the end; undefined: there is no such message. */
	findCut(conversationId: ConversationId, before: MessageId | undefined): ForkCut | undefined;
	/** Where the agent's own history is cut so that it ends before a place. */
	historyBefore(conversationId: ConversationId, place: number): CutHistory;
	/** Copies the next messages before a cut, in bounded steps; queued prompts stay behind. The result goes on; undefined: all are copied. */
	copyStep(step: CopyStep): number | undefined;
	/** The prompt that was steered into this answer is no part of it after all. */
	takeSteerOut(conversationId: ConversationId, answer: MessageId, steered: MessageId): void;
}

/** A place between two messages, and what an agent's own history has to do with it. */
export interface ForkCut {
	/** Messages below it are before the cut. */
	position: number;
	/** The first and the newest message before it. */
	first: MessageId | undefined;
	last: MessageId | undefined;
	/** The prompt before the cut whose answer is not: the agent's history is cut before it. */
	unanswered: MessageId | undefined;
	/** Attachments of the messages before it. */
	attachments: string[];
	/** Results of commands above it were carried by no prompt before the cut. */
	lastPrompt: number;
	/** The agent's history is cut before this place. */
	historyEnd: number;
}
/**
 * Where the agent's history is cut: nowhere; before a prompt, which it knows by its mark or as the first after the one with the mark `after`; it has none
 * there; or that is not known.
 */
export type CutHistory = { at: "end" } | { at: "prompt"; mark: string | null; after: string | null } | { at: "start" } | { at: "unknown" };

/** A step of a copy. */
export interface CopyStep {
	from: ConversationId;
	to: ConversationId;
	cut: Pick<ForkCut, "position" | "lastPrompt">;
	/** What the step before gave; 0 for the first. */
	after: number;
	/** Attachments by their old ids. */
	attachments: ReadonlyMap<string, string>;
}

/** One match, with enough around it to recognise it. */
export interface SearchResult {
	conversationId: ConversationId;
	/** For a match in the title: the conversation's first message, or empty when it has none. */
	messageId: MessageId;
	title: string;
	/** Around the match; the matched words between U+0001 and U+0002 removed: plain text. */
	snippet: string;
	createdAt: string;
}

/** The log. A frame is kept as the exact text that was broadcast. */
export interface EventStore {
	append(conversationId: ConversationId, seq: Seq, frame: string): void;
	/** Frames after `seq`, oldest first, at most `limit` and, when given, at most so many bytes; what does not fit is not read. */
	after(conversationId: ConversationId, seq: Seq, limit: number, maxBytes?: number): { seq: Seq; frame: string }[];
	/** The smallest seq still kept, or undefined when none is. */
	firstSeq(conversationId: ConversationId): Seq | undefined;
	/** Removes what need not be kept, in the background and in small steps. */
	trim(conversationId: ConversationId, keep: EventsToKeep): Promise<void>;
	/** Conversations with events in which nothing happened since then, the oldest first. */
	quietSince(before: number, limit: number): Promise<ConversationId[]>;
}
/** The newest events within both bounds stay, and besides everything from `from` on and the output of these commands. */
export interface EventsToKeep {
	events: number;
	bytes: number;
	from?: Seq;
	outputOf: ExecId[];
}

/** Turns that were begun and not ended: what a crash leaves behind. */
export interface OpenTurn {
	conversationId: ConversationId;
	/** Id that the assistant message will have. */
	messageId: MessageId;
	userMessageId: MessageId;
	startedAt: number;
	/** The first event of this turn, so that its text can be rebuilt from the log. */
	firstSeq: Seq;
}
/** At most one open turn per conversation. */
export interface TurnStore {
	begin(turn: OpenTurn): void;
	end(conversationId: ConversationId): void;
	open(): OpenTurn[];
}

/** A person's command; `endedAt` is null while it runs, or when a crash cut it off. */
export interface CommandRow {
	execId: ExecId;
	conversationId: ConversationId;
	command: string;
	cwd: string;
	origin: "web" | "telegram" | "api";
	clientMessageId: string | null;
	startedAt: number;
	firstSeq: Seq;
	endedAt: number | null;
	messageId: MessageId | null;
}
/** Commands of people, for idempotency and recovery. */
export interface CommandStore {
	insert(row: CommandRow): void;
	end(execId: ExecId, endedAt: number, messageId: MessageId | null): void;
	find(execId: ExecId): CommandRow | undefined;
	findByClientId(conversationId: ConversationId, clientMessageId: string): CommandRow | undefined;
	/** Begun and not ended. */
	running(): CommandRow[];
}

/** A file that a person sent; its bytes lie at `path`. */
export interface AttachmentRow {
	id: string;
	name: string;
	mimeType: string;
	size: number;
	path: string;
	createdAt: number;
	conversationId: ConversationId | null;
}
/** Which files there are and which conversation uses them. */
export interface AttachmentStore {
	insert(row: AttachmentRow): void;
	find(id: string): AttachmentRow | undefined;
	/** Attachments never used by a message and older than `before`. */
	unused(before: number): AttachmentRow[];
	bind(id: string, conversationId: ConversationId): void;
	delete(id: string): void;
	ofConversation(conversationId: ConversationId): AttachmentRow[];
}

/** Small values that must outlive a restart; keys begin with their owner, as in `web.` and `telegram.`. */
export interface SettingsStore {
	get(key: string): string | undefined;
	set(key: string, value: string): void;
	delete(key: string): void;
}

export type { Message, UserMetadata };
