import type { Job } from "@rightseat/protocol/model/job";
import { cutText } from "@rightseat/protocol/text";
import { type Clock, isoTime } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { FinishedNote } from "../../core/ports/shell.ts";
import { type ConversationFile, newConversationFile, readConversationFile } from "../service/conversation-file.ts";
import { createConversationWriter } from "../service/conversation-writer.ts";

/**
 * All background jobs: their ids, how they stand, and what is still to be told about them. Nothing here throws: a disk that
 * refuses and a listener that fails must not keep the end of a job from those who wait for it.
 */
export interface JobBook {
	/** A sentence that says what to do when what is kept of this shell cannot be read now: its directory and its job ids are not known then. */
	unreadable(conversation: ConversationId): string | undefined;
	/** A sentence that says what to do when no job can be added: too many, or not readable. */
	refusal(conversation: ConversationId): string | undefined;
	add(conversation: ConversationId, job: NewJob): JobEntry;
	find(conversation: ConversationId, bashId: string): Found;
	/** Newest first. */
	list(conversation?: ConversationId): Job[];
	update(entry: JobEntry, patch: Partial<Pick<Job, "ports" | "tail" | "pid">>): void;
	/** The first end counts. `silent`: the agent knows already. */
	end(entry: JobEntry, end: JobEnd): void;
	/** Ends that the agent was not told yet. */
	notes(conversation: ConversationId): FinishedNote[];
	/** The agent knows these. */
	dropNotes(conversation: ConversationId, bashIds: readonly string[]): void;
	cwd(conversation: ConversationId): string | undefined;
	setCwd(conversation: ConversationId, cwd: string | undefined): void;
	forget(conversation: ConversationId): void;
	onJob(listener: (job: Job) => void): () => void;
	/** The shell process failed: the output of ended jobs is gone too. */
	loseOutput(): void;
	/** Changes nothing on disk any more: what runs now is lost for the next start. */
	freeze(): void;
}

export interface NewJob {
	key: string;
	command: string;
	description?: string | undefined;
	pid?: number | undefined;
}

export interface JobEnd {
	status: Exclude<Job["status"], "running">;
	exitCode: number | null;
	tail?: string;
	silent?: boolean;
	/** Processes that could not be ended. */
	survivors?: number[];
}

export interface JobEntry {
	readonly key: string;
	readonly conversation: ConversationId;
	job: Job;
	/** By the clock that never jumps. */
	endedAt?: number;
	survivors?: number[];
}

export type Found = { kind: "found"; entry: JobEntry } | { kind: "unknown" | "expired" | "lost" | "elsewhere"; running: string[] };

export const MAX_RUNNING_PER_CONVERSATION = 16;
export const MAX_RUNNING = 64;
export const KEEP_ENDED_MS = 30 * 60_000;
export const MAX_ENDED_PER_CONVERSATION = 64;
export const MAX_ENDED = 256;
const MAX_LOST = 200;
const MAX_NOTES = 50;
/** Conversations without jobs beyond this are read again from disk when needed. */
const MAX_LOADED = 500;

interface Loaded {
	file: ConversationFile;
	jobs: Map<string, JobEntry>;
	/** The disk did not give its file: nothing is known, nothing is written over it, and it is read again the next time. */
	isUnread?: boolean;
}

export interface JobBookDeps {
	home: string;
	clock: Clock;
	logger: Logger;
	/** The output of this command is not needed any more. */
	drop(key: string): void;
}

export function createJobBook(deps: JobBookDeps): JobBook {
	const { home, clock, logger } = deps;
	const writer = createConversationWriter({ home, clock, logger });
	const loaded = new Map<ConversationId, Loaded>();
	const listeners = new Set<(job: Job) => void>();

	const get = (conversation: ConversationId): Loaded => {
		const known = loaded.get(conversation);
		if (known !== undefined) return known;
		const fresh = load(conversation);
		if (fresh.isUnread) return fresh;
		loaded.set(conversation, fresh);
		if (fresh.file.running.length > 0) loseAll(conversation, fresh);
		for (const [id, { jobs }] of loaded) {
			if (loaded.size <= MAX_LOADED) break;
			if (jobs.size === 0 && id !== conversation && !writer.waits(id)) loaded.delete(id);
		}
		return fresh;
	};

	const load = (conversation: ConversationId): Loaded => {
		try {
			return { file: readConversationFile(home, conversation), jobs: new Map() };
		} catch (error) {
			logger.error({ err: error, conversationId: conversation }, "What is kept of a conversation's shell cannot be read");
			return { file: newConversationFile(), jobs: new Map(), isUnread: true };
		}
	};
	const unreadable = (conversation: ConversationId) => (get(conversation).isUnread ? UNREADABLE : undefined);

	/** They ran when the last server ended, so they are gone. */
	const loseAll = (conversation: ConversationId, { file, jobs }: Loaded) => {
		for (const { bashId, command, startedAt } of file.running) {
			const job: Job = { bashId, conversationId: conversation, command, status: "lost", startedAt, endedAt: isoTime(clock.now()) };
			jobs.set(bashId, { key: "", conversation, job, endedAt: clock.elapsed() });
			addNote(file, bashId, `Background job ${bashId} (${short(command)}) was lost because the server was restarted.`);
			addLost(file, bashId);
		}
		file.running = [];
		save(conversation);
	};

	const save = (conversation: ConversationId) => {
		const state = loaded.get(conversation);
		if (state !== undefined) writer.save(conversation, state.file);
	};

	const changed = (job: Job) => {
		for (const listener of listeners) {
			try {
				listener(job);
			} catch (error) {
				logger.error({ err: error, bashId: job.bashId, conversationId: job.conversationId }, "A listener of a job failed");
			}
		}
	};

	const all = () => [...loaded.values()].flatMap(({ jobs }) => [...jobs.values()]);
	const runningOf = (conversation: ConversationId) => [...get(conversation).jobs.values()].filter(isRunning);

	/** Ended jobs are kept for a while, the newest of them. */
	const expire = () => {
		const drop = (entry: JobEntry) => {
			loaded.get(entry.conversation)?.jobs.delete(entry.job.bashId);
			deps.drop(entry.key);
		};
		const newestFirst = (entries: JobEntry[]) =>
			entries.filter((entry) => !isRunning(entry)).sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
		for (const { jobs } of loaded.values())
			newestFirst([...jobs.values()])
				.slice(MAX_ENDED_PER_CONVERSATION)
				.forEach(drop);
		newestFirst(all()).slice(MAX_ENDED).forEach(drop);
		for (const entry of all()) if (entry.endedAt !== undefined && clock.elapsed() - entry.endedAt > KEEP_ENDED_MS) drop(entry);
	};

	return {
		unreadable,
		refusal(conversation) {
			const unread = unreadable(conversation);
			if (unread !== undefined) return unread;
			const mine = runningOf(conversation);
			const [oldest] = mine;
			if (mine.length >= MAX_RUNNING_PER_CONVERSATION && oldest !== undefined)
				return `${mine.length} background jobs already run in this conversation. End one first, for example with KillBash on ${oldest.job.bashId} (the oldest: ${short(oldest.job.command)}).`;
			if (all().filter(isRunning).length >= MAX_RUNNING)
				return `${MAX_RUNNING} background jobs already run on this server. Wait until some have ended.`;
			return undefined;
		},
		add(conversation, { key, command, description, pid }) {
			expire();
			const { file, jobs } = get(conversation);
			const bashId = `bash_${file.nextJob++}`;
			const startedAt = isoTime(clock.now());
			const optional = { ...(description === undefined ? {} : { description }), ...(pid === undefined ? {} : { pid }) };
			const entry: JobEntry = {
				key,
				conversation,
				job: { bashId, conversationId: conversation, command, ...optional, status: "running", startedAt },
			};
			jobs.set(bashId, entry);
			file.running.push({ bashId, command: cutText(command, 500), startedAt });
			save(conversation);
			changed(entry.job);
			return entry;
		},
		find(conversation, bashId) {
			expire();
			const { file, jobs } = get(conversation);
			const entry = jobs.get(bashId);
			const running = runningOf(conversation).map((candidate) => candidate.job.bashId);
			if (entry !== undefined && entry.job.status !== "lost") return { kind: "found", entry };
			if (file.lost.includes(bashId)) return { kind: "lost", running };
			const number = /^bash_([1-9]\d{0,9})$/.exec(bashId)?.[1];
			if (number !== undefined && Number(number) < file.nextJob) return { kind: "expired", running };
			return { kind: all().some((other) => other.job.bashId === bashId) ? "elsewhere" : "unknown", running };
		},
		list(conversation) {
			expire();
			const entries = conversation === undefined ? all() : [...get(conversation).jobs.values()];
			return entries.map((entry) => entry.job).sort((a, b) => b.startedAt.localeCompare(a.startedAt) || numberOf(b) - numberOf(a));
		},
		update(entry, patch) {
			const newPort = patch.ports !== undefined && patch.ports.join() !== (entry.job.ports ?? []).join();
			const newPid = patch.pid !== undefined && patch.pid !== entry.job.pid;
			entry.job = { ...entry.job, ...patch };
			if (newPort || newPid) changed(entry.job);
		},
		end(entry, { status, exitCode, tail, silent, survivors }) {
			if (!isRunning(entry)) return;
			if (survivors !== undefined) entry.survivors = survivors;
			entry.endedAt = clock.elapsed();
			entry.job = { ...entry.job, status, exitCode, endedAt: isoTime(clock.now()), ...(tail === undefined ? {} : { tail }) };
			const { bashId, command } = entry.job;
			const state = loaded.get(entry.conversation);
			if (state !== undefined && state.jobs.get(bashId) === entry) {
				state.file.running = state.file.running.filter((job) => job.bashId !== bashId);
				if (status === "lost") addLost(state.file, bashId);
				if (silent !== true) addNote(state.file, bashId, `Background job ${bashId} (${short(command)}) ${endingOf(status, exitCode)}.`);
				save(entry.conversation);
			}
			changed(entry.job);
		},
		notes: (conversation) => [...get(conversation).file.notes],
		dropNotes(conversation, bashIds) {
			const { file } = get(conversation);
			if (!file.notes.some((note) => bashIds.includes(note.bashId))) return;
			file.notes = file.notes.filter((note) => !bashIds.includes(note.bashId));
			save(conversation);
		},
		cwd: (conversation) => get(conversation).file.cwd,
		setCwd(conversation, cwd) {
			const { file } = get(conversation);
			if (file.cwd === cwd) return;
			file.cwd = cwd;
			save(conversation);
		},
		forget(conversation) {
			writer.forget(conversation);
			loaded.delete(conversation);
		},
		onJob(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		loseOutput() {
			for (const { conversation, job } of all().filter((entry) => !isRunning(entry) && entry.job.status !== "lost")) {
				const state = get(conversation);
				addLost(state.file, job.bashId);
				state.jobs.delete(job.bashId);
				save(conversation);
			}
		},
		freeze: writer.freeze,
	};
}

const UNREADABLE =
	"What is kept of this conversation's shell (its directory, its jobs) cannot be read from the disk, so nothing was run. Check the disk, then try again.";

const isRunning = (entry: JobEntry) => entry.job.status === "running";
const numberOf = (job: Job) => Number(job.bashId.slice("bash_".length));

function endingOf(status: Job["status"], exitCode: number | null): string {
	if (status === "timed_out") return "ran out of time and was ended";
	if (status === "killed") return "was ended by a person";
	if (status === "lost") return "was lost because the shell process failed; start it again if it is still needed";
	return exitCode === null ? "has ended" : `has exited with code ${exitCode}`;
}

/** A command as a name: its first line, cut. */
export function short(command: string): string {
	const line = command.trim().split("\n")[0] ?? "";
	return `\`${line.length > 60 ? `${cutText(line, 57)}...` : line}\``.toWellFormed();
}

function addNote(file: ConversationFile, bashId: string, text: string): void {
	file.notes = [...file.notes, { bashId, text }].slice(-MAX_NOTES);
}

function addLost(file: ConversationFile, bashId: string): void {
	file.lost = [...file.lost, bashId].slice(-MAX_LOST);
}
