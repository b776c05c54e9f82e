import type {
	ContextItem,
	Job,
	Message,
	PermissionRequest,
	Question,
	QueueItem,
	RunningCommand,
	RunningTurn,
	StreamStatus,
	TurnError,
	Usage,
	UserMessage,
} from "@rightseat/protocol/entities";

/** What the page knows of one conversation: a snapshot with every later event applied. `lastSeq` never travels without the text it belongs to. */
export interface ConversationView {
	conversationId: string;
	/** Undefined until the first snapshot. */
	epoch: string | undefined;
	lastSeq: number;
	status: StreamStatus;
	/** Stored messages, oldest first, without queued prompts. */
	messages: readonly Message[];
	/** Asks for what is older than the first message; undefined when there is nothing older. */
	olderCursor: string | undefined;
	/** Queued prompts as messages, until they are taken up. */
	waiting: readonly UserMessage[];
	turn: LiveTurn | undefined;
	queue: readonly QueueItem[];
	questions: readonly Question[];
	permissions: readonly PermissionRequest[];
	commands: readonly LiveCommand[];
	context: readonly ContextItem[];
	jobs: readonly Job[];
	usage: Usage | undefined;
	/** An error that belongs to no turn. */
	error: TurnError | undefined;
}

export interface LiveTurn extends RunningTurn {
	error?: TurnError;
	/** When the newest part began, to time reasoning. */
	partSince: number;
	/** Questions and permission requests that were settled in this turn, to show who said what. */
	settled: readonly SettledRequest[];
}

export interface SettledRequest {
	requestId: string;
	text: string;
	outcome: "answered" | "expired" | "aborted";
	answer?: string;
	by?: "web" | "telegram" | "api";
	kind: "question" | "permission";
	/** How many parts the turn had then, so that the note stays in its place. */
	afterParts: number;
}

export interface LiveCommand extends RunningCommand {
	/** Ended, and its stored message has not arrived yet. */
	done?: { exitCode: number | null; truncated: boolean; durationMs: number };
}

export function emptyView(conversationId: string): ConversationView {
	return {
		conversationId,
		epoch: undefined,
		lastSeq: 0,
		status: "idle",
		messages: [],
		olderCursor: undefined,
		waiting: [],
		turn: undefined,
		queue: [],
		questions: [],
		permissions: [],
		commands: [],
		context: [],
		jobs: [],
		usage: undefined,
		error: undefined,
	};
}
