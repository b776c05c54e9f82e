import type { ContextPicture } from "@rightseat/protocol/http/context";
import type { Model } from "@rightseat/protocol/model/language-model";
import type { Params } from "@rightseat/protocol/model/params";
import type { SubAgentState } from "@rightseat/protocol/model/sub-agent";
import type { Todo } from "@rightseat/protocol/model/todo";
import type { PlanEntry, TurnError, Usage } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { AskForm, AskPlan, FormAnswer, PlanDecision } from "./agent-asks.ts";
import type { RuntimeCommands, SessionCommands } from "./agent-commands.ts";
import type { OpenSetup, SessionServer, TryServer } from "./agent-setup.ts";
import type { AgentTool } from "./agent-tool.ts";
import type { HandedOver, HandOver, SaidBefore, SessionPage } from "./listed-sessions.ts";
import type { CutHistory } from "./store.ts";

/** One agent that conversations can be driven by. One implementation drives the Copilot runtime, one any program that speaks ACP; tests may bring a scripted one. */
export interface AgentRuntime extends RuntimeCommands {
	/** What its sessions can do, as far as it is known before one is open. */
	capabilities(): AgentCapabilities;
	/** Models to choose from. Rejects with an AppError that says what to do when there is not even one to offer. */
	listModels(): Promise<ModelList>;
	/**
	 * What a conversation can be set to besides its model, as the agent last said; undefined: no session of it was ever open. Absent: nothing can be
	 * chosen.
	 */
	choices?(): SessionChoices | undefined;
	/** The names of the agents that a folder brings, of which a conversation there can be one; none while the folder is not trusted. Absent: there never are any. */
	profiles?(cwd: string): Promise<string[]>;
	/** Resumes the session if it has a history, else begins one. Rejects with an AppError. */
	openSession(options: OpenSession): Promise<AgentSession>;
	/**
	 * Sessions that the agent keeps, of whatever program began them, newest first where it says so; none where it keeps no list. `cwd`: where its process
	 * may be started for the question. Rejects with an AppError. Absent where there is nothing to list.
	 */
	listSessions?(page: { cwd: string; cursor?: string | undefined }): Promise<SessionPage>;
	/**
	 * Makes a session that it listed its own, so that a conversation can go on with it; whoever keeps it is only read. Says what was said there. Rejects with
	 * an AppError. Absent where a listed session can be opened as it is, and what was said is not known.
	 */
	takeSession?(sessionId: string): Promise<SaidBefore>;
	/** Copies a session, which must not be open, to where another program of the same agent goes on with it. Rejects with an AppError. */
	handOver?(session: HandOver): Promise<HandedOver>;
	/**
	 * A session of its own with the history of another one, up to a place. The other one is not touched, whether it is open, busy or only on disk.
	 * Undefined: this agent cannot, or not there. Rejects with an AppError. Absent where it never can.
	 */
	forkSession?(fork: ForkSession): Promise<string | undefined>;
	/** Absent where MCP servers are the agent's own business. */
	tryServer?: TryServer;
	/** Forgets a session, and its history where the agent has no say in that; unknown ids are fine. */
	deleteSession(sessionId: string): Promise<void>;
	health(): RuntimeHealth;
	/** Called on every change of health; the result unsubscribes. */
	onHealth(listener: (health: RuntimeHealth) => void): () => void;
	/** Leaves the resting state and tries again. */
	wake(): void;
	close(): Promise<void>;
}

/**
 * `listed`: the provider named its models, so one that is not among them is not there. `unlisted`: it could not be asked, or names none;
 * what is offered then is a stand-in and says nothing about any other model.
 */
export type ModelList =
	| { state: "listed"; models: Model[]; default: string }
	| { state: "unlisted"; models: Model[]; default: string; because: string };

/** What an agent can do. What it cannot is said where one would look for it, before it is tried. */
export interface AgentCapabilities {
	/** Goes on in the same history after its process has ended. */
	resume: boolean;
	/** Takes a prompt into the running turn; without it core queues the prompt. */
	steer: boolean;
	/** Has models to choose from. */
	models: boolean;
	/** Sees pictures. */
	images: boolean;
	/** Runs its commands in the conversation's shell instead of one of its own. */
	sharedShell: boolean;
	/** Answers a question beside the conversation. Absent: no. */
	asides?: boolean;
	/** Summarises its history when it is told to. Absent: its session says. */
	compacts?: boolean;
}

/** How an agent can work and how hard its model can think; empty where there is no choice. */
export interface SessionChoices {
	/** Begins with `OWN_MODE`. None of them decides on permissions by itself. */
	modes: Choice[];
	efforts: Choice[];
	/** As an earlier server heard it: the agent may have others by now. */
	isRemembered?: true;
}
/** One of them. */
export interface Choice {
	id: string;
	/** As people read it. */
	name: string;
}

/** Which history a new session shall begin with. */
export interface ForkSession {
	/** The session of the source. */
	sessionId: string;
	/** The id of the new conversation; the agent may give the session another one. */
	newSessionId: string;
	cwd: string;
	/** Where the history ends. */
	cut: Extract<CutHistory, { at: "end" | "prompt" }>;
	/** A turn runs in the source. */
	isBusy: boolean;
}

/** What a conversation is set to. */
export interface SessionSettings {
	mode: string;
	/** Empty: whatever the agent takes by itself. */
	effort: string;
	/** Which agent of the folder it is; empty or absent: none. */
	agentProfile?: string;
}
/** The mode of an agent that nobody has set to another. */
export const OWN_MODE = "agent";

/** Whether turns can run; `message` says what to do when not. */
export interface RuntimeHealth {
	state: "off" | "starting" | "ready" | "restarting" | "resting" | "stopped" | "login-needed" | "missing";
	provider: "copilot" | "byok" | "demo" | "acp";
	/** For a person: why it is not ready and what happens next. */
	message?: string;
	/** Which sentence that is, and its values, for readers of another language. */
	code?: string;
	params?: Params;
	version?: string;
}

/** What a session is opened with; it keeps these callbacks until it is closed. */
export interface OpenSession {
	/** Letters, digits, `_` and `-`; the conversation's id. */
	sessionId: string;
	/** The id that the agent's session had when it was last open; null: it was never open, or its id was never stored. */
	previous: string | null;
	/** Empty: whatever the agent takes by itself. */
	model: string;
	/** Must exist; openSession rejects with `cwd-missing` otherwise. */
	cwd: string;
	/** As of now. They hold before the first prompt and after every resume. */
	settings(): SessionSettings;
	/** The agent has left the mode that it was set to for this one, or for its own; for instance because a person took its plan. */
	onModeLeft(mode?: string): void;
	/** The agent is about to call its model again by itself, without a prompt or a tool's result: may it? */
	mayGoOn(): boolean;
	/** What was used when no turn ran that could tell of it. */
	onLateUsage(usage: Usage): void;
	/** Another program went on with this session: the agent remembers more than the conversation shows. */
	onContinued?(): void;
	tools: AgentTool[];
	/** The MCP servers that it shall have, as of now; none without it. Asked before every prompt. */
	mcpServers?(): Promise<SessionServer[]>;
	/** Asks a person; resolves with the answer, or with a sentence that says that nobody answered. */
	ask(question: AskUser, signal: AbortSignal): Promise<AskUserAnswer>;
	/** Puts a plan to a person; resolves with the decision, which is to stay in plan mode when nobody decides. */
	askPlan(plan: AskPlan, signal: AbortSignal): Promise<PlanDecision>;
	/** Puts a form to a person. `accept` comes with values that fit its schema; a form that cannot be shown is declined, and one that nobody answers cancelled. */
	form(form: AskForm, signal: AbortSignal): Promise<FormAnswer>;
	/** The agent's to-do list as it stands now, in a turn or outside of one. */
	onTodos(items: readonly Todo[]): void;
	/** Decides on a permission request. */
	permit(request: PermitRequest, signal: AbortSignal): Promise<PermitDecision>;
}

/** A question of the agent to a person. */
export interface AskUser {
	question: string;
	choices?: string[];
	allowFreeform: boolean;
}
/** What the agent gets back; also a sentence when nobody answered. */
export interface AskUserAnswer {
	answer: string;
	wasFreeform: boolean;
	/** `answer` is that sentence, and nobody's words. */
	isUnanswered?: true;
}
/** What the agent wants to do; `detail` is the whole of it when `summary` is cut. */
export interface PermitRequest {
	kind: string;
	summary: string;
	toolName?: string;
	toolCallId?: string;
	detail?: string;
	/** A sub-agent asks. */
	agentId?: string;
	agentName?: string;
	/** Who asks is not known yet: this tells when it is, or soon that it will not be. */
	asker?(): Promise<{ agentId?: string; agentName?: string }>;
	/** The files that it will write, as the agent names them, where that is known. */
	paths?: readonly string[];
	/** The command, exactly, if our own shell would run it: only that can be compared with rules. */
	command?: string;
}
/** A rejection tells the agent why. */
export type PermitDecision = { kind: "approve-once" } | { kind: "approve-for-session" } | { kind: "reject"; feedback: string };

/** One agent session. Its owner serialises `run`; it is used by one conversation only. */
export interface AgentSession extends SessionCommands {
	/** Chosen by the agent. Its owner stores it before the first turn: without it the history could not be found again. */
	readonly sessionId: string;
	/** `lost`: there was an earlier session and the agent does not know it any more, so this one begins without a history. */
	readonly opened: "new" | "resumed" | "lost";
	/**
	 * Brings back a session whose process has ended since the last turn, so that `sessionId` and `opened` say what became of its history before the
	 * next one. Rejects with an AppError. Absent where the agent keeps its history outside of the process.
	 */
	reopen?(): Promise<void>;
	/** What it was opened with holds no more: before the next turn it is closed and opened anew. Absent where that cannot be. */
	isOutdated?(): boolean;
	/**
	 * Runs one turn. Yields exactly one `turn-end`, last, whatever happens to the runtime, the provider or the signal.
	 * Never rejects after the first event. Aborting the signal ends the turn with outcome `aborted` within seconds. `taken` hears by which mark the agent
	 * knows the prompt from now on, if it has one.
	 */
	run(input: TurnInput, signal: AbortSignal, taken?: (mark: string) => void): AsyncIterable<TurnEvent>;
	/** Adds a prompt to the running turn; rejects if none runs. */
	steer(input: TurnInput): Promise<void>;
	/** Ends one sub-agent of the running turn, which goes on. False: that one does not work now. Rejects with an AppError. Absent where that cannot be. */
	stopAgent?(agentId: string): Promise<boolean>;
	/**
	 * Asks the model something about the history in one call without tools, and leaves nothing there. Undefined: it is not to be asked. Rejects when it does
	 * not answer. Absent where that cannot be.
	 */
	askAside?(question: string, waitMs?: number): Promise<string | undefined>;
	/** What fills its context now; undefined: not known yet. Rejects when it does not answer. Absent where the agent does not say. */
	lookAtContext?(): Promise<ContextPicture | undefined>;
	/** Whether a turn can have the task `compact`. Absent: it cannot. */
	compacts?(): boolean;
	/** MCP servers and what else it was given. Absent where the agent says nothing of it. */
	readonly setup?: OpenSetup;
	/** Changes the model from the next call on and keeps the history. */
	setModel(model: string): Promise<void>;
	/** Takes these settings now; what the agent does not offer is left. Rejects with an AppError when it refuses. Absent where nothing can be chosen. */
	apply?(settings: SessionSettings): Promise<void>;
	/** Lets the session go; it stays resumable. */
	close(): Promise<void>;
}

/** A prompt as the agent gets it. */
export interface TurnInput {
	/** What the model gets: shell context and prompt. */
	prompt: string;
	/** What a person typed. */
	displayPrompt: string;
	attachments?: TurnAttachment[];
	/** No prompt, but something to do: the history is summarised, and what it was before and is now is told in a notice. */
	task?: "compact";
}
/** A file on disk, already checked and stored by us. */
export interface TurnAttachment {
	path: string;
	name: string;
	mimeType: string;
}

/** What happens in a turn, in order; `turn-end` is the last one. */
export type TurnEvent =
	| ({ kind: "text-delta"; messageId: string; content: string } & BySubAgent)
	| { kind: "reasoning-delta"; reasoningId: string; content: string }
	/** The runtime retried: what this message (and this reasoning) said is withdrawn. */
	| ({ kind: "message-reset"; messageId: string; reasoningId?: string } & BySubAgent)
	| ({ kind: "message-end"; messageId: string; content: string } & BySubAgent)
	/** A sub-agent begins, goes on or ends. Comes before anything that it says. */
	| ({ kind: "subagent" } & SubAgentState)
	/** Again with the same id: more is known about the call (its arguments, its title). `reads`: by the agent's own word it changes nothing. */
	| ({
			kind: "tool-start";
			toolCallId: string;
			toolName: string;
			arguments: unknown;
			title?: string;
			shell?: "agent";
			reads?: true;
	  } & BySubAgent)
	/** What an edit changes in one file; `oldText` is absent for a new one. Comes any time before the end of its call. */
	| { kind: "tool-diff"; toolCallId: string; path: string; oldText?: string; newText: string }
	/** The agent's plan as it stands now; takes the place of the one before. */
	| { kind: "plan"; entries: PlanEntry[] }
	/** What the agent calls this conversation. */
	| { kind: "title"; title: string }
	| { kind: "tool-output"; toolCallId: string; content: string }
	| ({ kind: "tool-end"; toolCallId: string; success: boolean; result?: string; error?: string } & BySubAgent)
	| ({ kind: "usage"; agentId?: string } & Usage)
	/** Something a person should know while waiting: `retrying`, `stalled`, `compacting`. `lasting`: about the answer, and kept with it. */
	| { kind: "notice"; code: string; message: string; params?: Params | undefined; lasting?: boolean }
	| { kind: "turn-end"; outcome: TurnOutcome; error?: TurnError };

/** Set where a sub-agent did it: which one, and the call that started it. */
export interface BySubAgent {
	agentId?: string;
	parentToolCallId?: string;
}
