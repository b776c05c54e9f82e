import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import type { GitProcessListener } from "./fork-git-process.ts";
import { createGitClient, MAX_GIT_CALLS, READ_DEADLINE_MS } from "./git-client.ts";
import { gitRequestSchema } from "./git-ops.ts";

/** Processes of which the first `stuck` never answer; the others say that git refuses. */
function bed({ stuck }: { stuck: number }) {
	const clock = createFakeClock();
	const killed: number[] = [];
	let started = 0;
	const git = createGitClient({
		clock,
		start(listener: GitProcessListener) {
			const number = ++started;
			return {
				send(message) {
					const { id } = gitRequestSchema.parse(message);
					if (number > stuck) queueMicrotask(() => listener.message({ kind: "answer", id, answer: null }));
				},
				kill() {
					killed.push(number);
					listener.exit();
				},
			};
		},
	});
	return { git, clock, killed, started: () => started };
}

test("[GI13] a look that does not end in time fails alone, and the next one is answered by another process", async () => {
	const { git, clock, killed } = bed({ stuck: 1 });
	const late = git.status({ cwd: "/mnt/dead" });
	const failed = expect(late).rejects.toMatchObject({ code: "folder-not-answering", params: { path: "/mnt/dead" } });
	await clock.advance(READ_DEADLINE_MS);
	await failed;
	expect(killed).toEqual([1]);
	expect(await git.status({ cwd: "/home/ann" })).toBeNull();
	git.close();
});

test("[GI13] so many calls wait at once, and an action has a process of its own", async () => {
	const { git, started } = bed({ stuck: 1 });
	const waiting = Array.from({ length: MAX_GIT_CALLS }, () => git.status({ cwd: "/mnt/dead" }).catch((error: unknown) => error));
	await expect(git.status({ cwd: "/home/ann" })).rejects.toMatchObject({ code: "folder-not-answering" });
	expect(started()).toBe(1);
	git.close();
	expect(await Promise.all(waiting)).toHaveLength(MAX_GIT_CALLS);
	await expect(git.status({ cwd: "/home/ann" })).rejects.toMatchObject({ code: "folder-not-answering" });
});
