import type { Job } from "@rightseat/protocol/model/job";
import { cutText } from "@rightseat/protocol/text";
import { type Clock, isoTime } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { FinishedNote } from "../../core/ports/shell.ts";
import { expiredJobs, isRunning, type JobEntry } from "./job-entry.ts";
import { addLost, addNote, endNote, short } from "./job-notes.ts";
import { createShellRecords } from "./shell-records.ts";

/**
 * All background jobs: their ids, their status, and the notes about them that the agent has not had yet. Nothing here throws: a disk that
 * refuses and a listener that fails must not keep the end of a job from those who wait for it.
 */
export interface JobRegistry {
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
	/** Stops writing to disk: what runs now is lost for the next start. */
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
	tail?: string | undefined;
	silent?: boolean;
	/** Processes that could not be ended. */
	survivors?: number[] | undefined;
}

export type Found = { kind: "found"; entry: JobEntry } | { kind: "unknown" | "expired" | "lost" | "elsewhere"; running: string[] };

export const MAX_RUNNING_PER_CONVERSATION = 16;
export const MAX_RUNNING = 64;

export interface JobRegistryDeps {
	home: string;
	clock: Clock;
	logger: Logger;
	/** The output of this command is no longer needed. */
	drop(key: string): void;
}

export function createJobRegistry(deps: JobRegistryDeps): JobRegistry {
	const { clock, logger } = deps;
	const records = createShellRecords(deps);
	const listeners = new Set<(job: Job) => void>();

	const all = () => records.loaded().flatMap(({ jobs }) => [...jobs.values()]);
	const runningOf = (conversation: ConversationId) => [...records.get(conversation).jobs.values()].filter(isRunning);
	const unreadable = (conversation: ConversationId) => (records.get(conversation).isUnread === true ? UNREADABLE : undefined);

	function changed(job: Job): void {
		for (const listener of listeners) {
			try {
				listener(job);
			} catch (error) {
				logger.error({ err: error, bashId: job.bashId, conversationId: job.conversationId }, "A listener of a job failed");
			}
		}
	}

	function expire(): void {
		const byConversation = records.loaded().map(({ jobs }) => [...jobs.values()]);
		for (const entry of expiredJobs(byConversation, clock.elapsed())) {
			records.findLoaded(entry.conversation)?.jobs.delete(entry.job.bashId);
			deps.drop(entry.key);
		}
	}

	/** Writes down that it has ended, unless its conversation was forgotten meanwhile. */
	function recordEnd({ conversation, job }: JobEntry, { status, exitCode, silent }: JobEnd): void {
		const record = records.findLoaded(conversation);
		if (record?.jobs.get(job.bashId)?.job !== job) return;
		record.file.running = record.file.running.filter(({ bashId }) => bashId !== job.bashId);
		if (status === "lost") addLost(record.file, job.bashId);
		if (silent !== true) addNote(record.file, job.bashId, endNote(job, status, exitCode));
		records.save(conversation);
	}

	return {
		unreadable,
		refusal: (conversation) => unreadable(conversation) ?? tooMany(runningOf(conversation), all().filter(isRunning).length),
		add(conversation, { key, command, description, pid }) {
			expire();
			const { file, jobs } = records.get(conversation);
			const bashId = `bash_${file.nextJob++}`;
			const startedAt = isoTime(clock.now());
			const job: Job = { bashId, conversationId: conversation, command, description, pid, status: "running", startedAt };
			const entry: JobEntry = { key, conversation, job };
			jobs.set(bashId, entry);
			file.running.push({ bashId, command: cutText(command, 500), startedAt });
			records.save(conversation);
			changed(entry.job);
			return entry;
		},
		find(conversation, bashId) {
			expire();
			const { file, jobs } = records.get(conversation);
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
			const entries = conversation === undefined ? all() : [...records.get(conversation).jobs.values()];
			return entries.map((entry) => entry.job).sort((a, b) => b.startedAt.localeCompare(a.startedAt) || numberOf(b) - numberOf(a));
		},
		update(entry, patch) {
			const newPort = patch.ports !== undefined && patch.ports.join() !== (entry.job.ports ?? []).join();
			const newPid = patch.pid !== undefined && patch.pid !== entry.job.pid;
			entry.job = { ...entry.job, ...patch };
			if (newPort || newPid) changed(entry.job);
		},
		end(entry, end) {
			if (!isRunning(entry)) return;
			if (end.survivors !== undefined) entry.survivors = end.survivors;
			entry.endedAt = clock.elapsed();
			const { status, exitCode, tail = entry.job.tail } = end;
			entry.job = { ...entry.job, status, exitCode, tail, endedAt: isoTime(clock.now()) };
			recordEnd(entry, end);
			changed(entry.job);
		},
		notes: (conversation) => [...records.get(conversation).file.notes],
		dropNotes(conversation, bashIds) {
			const { file } = records.get(conversation);
			if (!file.notes.some((note) => bashIds.includes(note.bashId))) return;
			file.notes = file.notes.filter((note) => !bashIds.includes(note.bashId));
			records.save(conversation);
		},
		cwd: (conversation) => records.get(conversation).file.cwd,
		setCwd(conversation, cwd) {
			const { file } = records.get(conversation);
			if (file.cwd === cwd) return;
			file.cwd = cwd;
			records.save(conversation);
		},
		forget: records.forget,
		onJob(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		loseOutput() {
			for (const { conversation, job } of all().filter((entry) => !isRunning(entry) && entry.job.status !== "lost")) {
				const record = records.get(conversation);
				addLost(record.file, job.bashId);
				record.jobs.delete(job.bashId);
				records.save(conversation);
			}
		},
		freeze: records.freeze,
	};
}

const UNREADABLE =
	"What is kept of this conversation's shell (its directory, its jobs) cannot be read from the disk, so nothing was run. Check the disk, then try again.";

/** Why no further job may start, and what to do about it. */
function tooMany(mine: JobEntry[], running: number): string | undefined {
	const [oldest] = mine;
	if (mine.length >= MAX_RUNNING_PER_CONVERSATION && oldest !== undefined)
		return `${mine.length} background jobs already run in this conversation. End one first, for example with KillBash on ${oldest.job.bashId} (the oldest: ${short(oldest.job.command)}).`;
	return running >= MAX_RUNNING ? `${MAX_RUNNING} background jobs already run on this server. Wait until some have ended.` : undefined;
}

const numberOf = (job: Job) => Number(job.bashId.slice("bash_".length));
