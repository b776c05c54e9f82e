import type { Job } from "@rightseat/protocol/model/job";
import type { Awaitable } from "../kernel/awaitable.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { AgentTool } from "./agent-tool.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** Runs commands for people and for the agent, in one shell state per conversation. */
export interface Shell extends Lifecycle {
	/** Starts a person's command. Never throws; a shell that cannot start ends the command with a message in its output. */
	exec(request: ExecRequest): CommandHandle;
	/** `Bash`, `BashOutput` and `KillBash` for this conversation. */
	tools(conversationId: ConversationId, defaultCwd: string): AgentTool[];
	/** Where the next command of this conversation is to run. Nobody has looked whether it is still there. */
	cwd(conversationId: ConversationId, defaultCwd: string): string;
	/**
	 * The same, if a program that is started there now would find nothing that earlier commands have changed in the shell; undefined: it might.
	 * Never rejects.
	 */
	plainCwd(conversationId: ConversationId, defaultCwd: string): Promise<string | undefined>;
	/** Moves the conversation's shell to a directory that exists. */
	setCwd(conversationId: ConversationId, cwd: string): void;
	/** Forgets variables, functions, aliases, options and directory stack of this conversation; running jobs go on. */
	restart(conversationId: ConversationId): void;
	/** Background jobs, newest first; of one conversation or of all. */
	jobs(conversationId?: ConversationId): Job[];
	jobOutput(request: { conversationId: ConversationId; bashId: string; filter?: string }): Promise<JobOutput>;
	killJob(conversationId: ConversationId, bashId: string): Promise<{ ok: boolean; message: string }>;
	/** Every change of a job: started, port seen, ended, lost. The result unsubscribes. */
	onJob(listener: (job: Job) => void): () => void;
	/** Sentences about jobs that ended and that the agent was not told yet. Changes nothing and never throws, so a transaction may ask. */
	finishedNotes(conversationId: ConversationId): FinishedNote[];
	/** The agent has these now: call it after the commit that stores its turn. Never throws; a crash before that tells them once more. */
	markNotesTold(conversationId: ConversationId, notes: readonly FinishedNote[]): void;
	/** Kills everything that runs for this conversation and removes its state and files. */
	forget(conversationId: ConversationId): Promise<void>;
	/** Kills everything and waits until it is gone. */
	close(): Promise<void>;
}

/** Background jobs, here or on another host. */
export interface Jobs extends Pick<Shell, "jobOutput" | "killJob"> {
	jobs(conversationId?: ConversationId): Awaitable<Job[]>;
}

/** A person's command for the shell. */
export interface ExecRequest {
	/** Without a conversation the command runs in `defaultCwd` with a state of its own that is dropped afterwards. */
	conversationId?: ConversationId;
	command: string;
	defaultCwd: string;
	/** Cleaned text in order, at most about ten times a second and 8 KB each. */
	onOutput(text: string): void;
}

/** A command that somebody waits for. */
export interface CommandHandle<Result = ExecResult> {
	/** How it ended; never rejects. */
	readonly done: Promise<Result>;
	/** TERM to the whole tree, then KILL. Twice is fine. */
	kill(): void;
}

/** How a command ended; every ending is a value, never an error. */
export interface ExecResult {
	exitCode: number | null;
	/** Name of the signal that ended it, if one did. */
	signal?: string;
	/** Cleaned output from the beginning, cut at about 64 KB; `truncated` says so. */
	output: string;
	truncated: boolean;
	/** Directory after the command. */
	cwd: string;
	durationMs: number;
	/** How it ended: by itself, killed by a person, or lost with the shell process. */
	end: "exited" | "killed" | "lost";
}

/** A sentence for the agent about a job that ended. */
export interface FinishedNote {
	bashId: string;
	text: string;
}

/** What a job printed, for people. */
export interface JobOutput {
	ok: boolean;
	text: string;
	status: string;
}
