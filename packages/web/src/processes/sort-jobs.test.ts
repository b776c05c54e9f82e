import type { Job } from "@rightseat/protocol/model/job";
import { expect, test } from "vitest";
import { elapsed, MAX_ENDED_JOBS, mergeJob, sortJobs } from "./sort-jobs.ts";

const job = (bashId: string, fields: Partial<Job> = {}): Job => ({
	bashId,
	conversationId: "c1",
	command: "npm run dev",
	status: "running",
	startedAt: "2026-11-15T10:00:00.000Z",
	...fields,
});

test("[PG72] running jobs stand first, the newest on top, and ended ones are bounded", () => {
	const jobs = [
		job("old-ended", { status: "exited", startedAt: "2026-11-15T08:00:00.000Z" }),
		job("new-ended", { status: "killed", startedAt: "2026-11-15T12:00:00.000Z" }),
		job("old-running", { startedAt: "2026-11-15T09:00:00.000Z" }),
		job("new-running", { startedAt: "2026-11-15T11:00:00.000Z" }),
	];
	expect(sortJobs(jobs).map(({ bashId }) => bashId)).toEqual(["new-running", "old-running", "new-ended", "old-ended"]);
	const many = Array.from({ length: 80 }, (_, index) => job(`j${index}`, { status: "exited" }));
	expect(sortJobs(many)).toHaveLength(MAX_ENDED_JOBS);
});

test("[PG72] a job that changes is replaced in its place", () => {
	const jobs = [job("a"), job("b")];
	expect(mergeJob(jobs, job("b", { status: "killed" })).map(({ bashId, status }) => [bashId, status])).toEqual([
		["a", "running"],
		["b", "killed"],
	]);
	expect(mergeJob(jobs, job("a", { conversationId: "c2" }))).toHaveLength(3);
});

test("[PG72] elapsed time reads well", () => {
	expect([500, 45_000, 190_000, 7_500_000, 400_000_000].map(elapsed)).toEqual(["0s", "45s", "3m 10s", "2h 5m", "4d"]);
});
