import type { Job } from "@rightseat/protocol/model/job";
import type { ConversationId } from "../../core/kernel/ids.ts";

/** A background job as the server keeps it. */
export interface JobEntry {
	/** Names it to the shell process; empty for one that was lost with an earlier server. */
	readonly key: string;
	readonly conversation: ConversationId;
	job: Job;
	/** By the clock that never jumps. */
	endedAt?: number;
	survivors?: number[];
}

export const KEEP_ENDED_MS = 30 * 60_000;
export const MAX_ENDED_PER_CONVERSATION = 64;
export const MAX_ENDED = 256;

export const isRunning = (entry: JobEntry) => entry.job.status === "running";

/** Ended jobs that are not kept any longer: past their time, or more than are kept of a conversation or of all. The newest stay. */
export function expiredJobs(byConversation: Iterable<JobEntry[]>, now: number): Set<JobEntry> {
	const newestFirst = (entries: JobEntry[]) =>
		entries.filter((entry) => !isRunning(entry)).sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
	const lists = [...byConversation];
	const all = lists.flat();
	return new Set([
		...lists.flatMap((entries) => newestFirst(entries).slice(MAX_ENDED_PER_CONVERSATION)),
		...newestFirst(all).slice(MAX_ENDED),
		...all.filter((entry) => entry.endedAt !== undefined && now - entry.endedAt > KEEP_ENDED_MS),
	]);
}
