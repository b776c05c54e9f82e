import type { Job } from "@rightseat/protocol/model/job";

/** Ended jobs that are still listed; the server forgets them in its own time. */
export const MAX_ENDED_JOBS = 30;

/** Running ones first, the newest on top in each part; of the ended ones only the newest. */
export function sortJobs(jobs: readonly Job[]): Job[] {
	const byStart = jobs.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
	const ended = byStart.filter((job) => job.status !== "running").slice(0, MAX_ENDED_JOBS);
	return [...byStart.filter((job) => job.status === "running"), ...ended];
}

/** The list with one job as it is now; a job not seen before is added. */
export function mergeJob(jobs: readonly Job[], job: Job): Job[] {
	const index = jobs.findIndex((other) => other.bashId === job.bashId && other.conversationId === job.conversationId);
	return index < 0 ? [job, ...jobs] : jobs.with(index, job);
}

/** Elapsed time in the two largest units that matter: 45s, 3m 10s, 2h 5m. */
export function elapsed(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	if (seconds < 60) return `${seconds}s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m ${seconds % 60}s`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`;
	return `${Math.floor(hours / 24)}d`;
}
