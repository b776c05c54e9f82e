import type { PermissionRequest, Question } from "@rightseat/protocol/model/ask";
import type { RunningCommand } from "@rightseat/protocol/model/command";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { Origin, TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { ConversationId, ExecId, MessageId } from "../kernel/ids.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import type { FinishedNote } from "../ports/shell.ts";

/** What is going on in a conversation right now. All of it can be rebuilt from the store after a crash. */
export interface LiveConversation {
	readonly id: ConversationId;
	turn?: LiveTurn;
	readonly questions: Map<string, PendingQuestion>;
	readonly permissions: Map<string, PendingPermission>;
	readonly commands: Map<ExecId, LiveCommand>;
}

export interface LiveTurn {
	readonly messageId: MessageId;
	readonly userMessageId: MessageId;
	/** Ends the turn; the reason says how it is to be recorded. */
	readonly abort: AbortController;
	/** What was said and done so far: every committed event folded in. */
	shown: RunningTurn;
	/** Set while the agent answers: prompts can be steered in. */
	session?: AgentSession;
	/** Somebody ended the turn, and so it is recorded, whatever the runtime says about it. */
	forcedEnd?: { outcome: TurnOutcome; error?: TurnError };
	/** `!cmd` results that this turn's prompt carried. */
	readonly contextIds: MessageId[];
	/** Ends of background jobs that it carried; they count as told when the turn is stored. */
	readonly notes: FinishedNote[];
	/** Settles when the turn is stored. */
	done: Promise<void>;
}

export interface PendingQuestion extends Question {
	settle(end: { outcome: "answered" | "expired" | "aborted"; answer?: string; wasFreeform?: boolean; by?: Origin }): void;
}

export interface PendingPermission extends PermissionRequest {
	settle(end: {
		outcome: "answered" | "expired" | "aborted";
		decision?: "approve-once" | "approve-for-session" | "reject";
		feedback?: string;
		by?: Origin;
	}): void;
}

export interface LiveCommand extends RunningCommand {
	kill(): void;
	/** Characters of live output that went into the log. */
	loggedChars: number;
	done: Promise<void>;
}

export interface LiveTable {
	/** Made on first use. */
	get(id: ConversationId): LiveConversation;
	find(id: ConversationId): LiveConversation | undefined;
	all(): Iterable<LiveConversation>;
	/** Forgets it if nothing goes on there. */
	release(id: ConversationId): void;
	withTurn(): LiveConversation[];
}

export function createLiveTable(): LiveTable {
	const table = new Map<ConversationId, LiveConversation>();
	return {
		get(id) {
			const known = table.get(id);
			if (known !== undefined) return known;
			const live = { id, questions: new Map(), permissions: new Map(), commands: new Map() };
			table.set(id, live);
			return live;
		},
		find: (id) => table.get(id),
		all: () => table.values(),
		release(id) {
			const live = table.get(id);
			if (live !== undefined && live.turn === undefined && live.commands.size === 0) table.delete(id);
		},
		withTurn: () => [...table.values()].filter((live) => live.turn !== undefined),
	};
}
