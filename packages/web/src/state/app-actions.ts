import type { FormContent } from "@rightseat/protocol/form/form-field";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { SearchResult } from "@rightseat/protocol/http/conversations";
import type { ConversationPatch, NewConversation } from "@rightseat/protocol/http/requests";
import type { BudgetDecision } from "@rightseat/protocol/model/budget";
import type { FormAction } from "@rightseat/protocol/model/form";
import type { Message } from "@rightseat/protocol/model/message";
import type { Credentials, NewWorktree } from "../api/api.ts";
import type { AppState, Toast } from "./app-state.ts";
import type { Settings } from "./settings.ts";

/** Everything a component may ask for. Failures become a toast; a promise says whether it worked where that matters. */
export interface AppActions {
	login(credentials: Credentials): Promise<void>;
	logout(options?: { everywhere?: boolean }): Promise<void>;

	openConversation(id: string | undefined, options?: { messageId?: string }): void;
	/** The new id, or undefined when it failed (a toast says why). */
	newConversation(input?: NewConversation & { worktree?: NewWorktree; host?: string }): Promise<string | undefined>;
	updateConversation(id: string, patch: ConversationPatch): Promise<boolean>;
	renameConversation(id: string, title: string): Promise<boolean>;
	pinConversation(id: string, pinned: boolean): Promise<boolean>;
	archiveConversation(id: string, archived: boolean): Promise<boolean>;
	deleteConversation(id: string): Promise<boolean>;
	loadConversations(options?: { more?: boolean; archived?: boolean }): Promise<void>;
	/** Without an agent: those of Copilot. */
	loadModels(agent?: string): Promise<void>;
	/** Which agents there are; the server looks again at every call. */
	loadAgents(): Promise<void>;
	/** The words for errors; until they are here the server's own sentence is shown. */
	loadSentences(): Promise<void>;
	search(query: string, signal?: AbortSignal): Promise<SearchResult[]>;
	loadOlder(id: string): Promise<void>;
	/** A stored message, whole; undefined when it could not be had (a toast says why). */
	loadMessage(conversationId: string, messageId: string): Promise<Message | undefined>;

	/** Into the outbox, then to the server. Opens a conversation first when none is given. False when it was not taken. */
	sendPrompt(input: { conversationId?: string; prompt: string; attachments?: string[]; mode?: "enqueue" | "immediate" }): Promise<boolean>;
	/** `!cmd`. Never reaches the model by itself. */
	handleBashSend(command: string, conversationId?: string): Promise<boolean>;
	retryOutbox(clientMessageId: string): void;
	discardOutbox(clientMessageId: string): void;
	abort(conversationId: string): void;
	answer(input: { conversationId: string; requestId: string; answer: string; wasFreeform: boolean }): void;
	decide(input: {
		conversationId: string;
		requestId: string;
		decision: "approve-once" | "approve-for-session" | "reject";
		feedback?: string;
		/** What the request offers is allowed for good. */
		remember?: true;
	}): void;
	fillIn(input: { conversationId: string; requestId: string; action: FormAction; content?: FormContent }): void;
	decideBudget(input: { conversationId: string; requestId: string; decision: BudgetDecision; limit?: number }): void;
	editQueued(conversationId: string, messageId: string, content: string): void;
	moveQueued(conversationId: string, messageId: string, toIndex: number): void;
	dropQueued(conversationId: string, messageId: string): void;
	sendQueuedNow(conversationId: string, messageId: string): void;
	dropContext(conversationId: string, messageId: string): void;
	trimContext(conversationId: string, messageId: string, maxChars: number): void;
	killExec(execId: string): void;
	/** Sends the prompt of this answer again, or the text that continues it. */
	retryTurn(conversationId: string, assistantMessageId: string): Promise<boolean>;
	continueTurn(conversationId: string): Promise<boolean>;

	/** Raw frames, for the terminal and the process panel. False when not connected. */
	send(frame: ClientFrame): boolean;
	onFrame(listener: (frame: ServerFrame) => void): () => void;
	/** Called each time a connection opens. */
	onOpen(listener: () => void): () => void;
	reconnect(): void;

	changeSettings(patch: Partial<Settings>): void;
	toast(toast: Omit<Toast, "id">): string;
	dismissToast(id: string): void;
	show(patch: Partial<Pick<AppState, "panel" | "sidebarOpen" | "paletteOpen" | "settingsOpen">>): void;
	/** A modal dialog opened: its place above the page, from 1. Call the function when it closes. */
	enterModal(): { level: number; leave: () => void };
	/** The message that `openConversation` was asked to show is on screen, or cannot be found. */
	dismissReveal(): void;
	dismissAway(conversationId: string): void;
}
