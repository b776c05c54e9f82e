import { describe, expect, test } from "vitest";
import { conversationId } from "../../packages/server/src/core/kernel/ids.ts";
import type { CommandHandle, Shell } from "../../packages/server/src/core/ports/shell.ts";

/** One implementation of the port, and how it is made to do what the contract needs. */
export interface ShellSubject {
	readonly shell: Shell;
	/** A directory that exists. */
	readonly work: string;
	/** Says `text` and ends with the code; without one it runs until it is killed. */
	exec(request: ScriptedExec): CommandHandle;
	/** A background job that runs until it is killed. */
	startJob(conversation: string): Promise<string>;
	close(): Promise<void>;
}

export interface ScriptedExec {
	conversation?: string;
	text: string;
	exitCode?: number;
	onOutput?(text: string): void;
}

/** What every `Shell` promises to the ones that use it: the real one, and the one that half of the tests trust. */
export function describeShellContract(name: string, open: () => Promise<ShellSubject>): void {
	const here = conversationId("here");
	const there = conversationId("there");

	function contract(promise: string, check: (subject: ShellSubject) => Promise<void>): void {
		test(`[SH135] ${promise}`, async () => {
			const subject = await open();
			try {
				await check(subject);
			} finally {
				await subject.close();
			}
		});
	}

	describe(name, () => {
		contract("a command that ends gives its output, live and whole, its code and its directory", async ({ work, exec }) => {
			const live: string[] = [];
			const result = await exec({ conversation: here, text: "hello", exitCode: 3, onOutput: (text) => live.push(text) }).done;
			expect(result).toMatchObject({ exitCode: 3, output: "hello\n", truncated: false, cwd: work, end: "exited" });
			expect(live.join("")).toBe("hello\n");
			expect(result.durationMs).toBeGreaterThanOrEqual(0);
		});

		contract("a killed command ends as killed, with what it had said; twice, and after the end, is fine", async ({ exec }) => {
			const running = exec({ conversation: here, text: "on", onOutput: () => running.kill() });
			const result = await running.done;
			running.kill();
			expect(result).toMatchObject({ end: "killed", output: "on\n", signal: "SIGTERM", exitCode: 143 });
			expect(await running.done).toBe(result);
		});

		contract("commands of different conversations, and of none, do not wait for each other", async ({ exec }) => {
			const waiting = exec({ conversation: here, text: "waits" });
			expect(await exec({ conversation: there, text: "a", exitCode: 0 }).done).toMatchObject({ output: "a\n" });
			expect(await exec({ text: "b", exitCode: 0 }).done).toMatchObject({ output: "b\n" });
			waiting.kill();
			expect(await waiting.done).toMatchObject({ end: "killed" });
		});

		contract("the directory is the given one until it is set, and again after a restart", async ({ shell, work, exec }) => {
			expect(shell.cwd(here, work)).toBe(work);
			shell.setCwd(here, "/");
			expect([shell.cwd(here, work), shell.cwd(there, work)]).toEqual(["/", work]);
			expect(await exec({ conversation: here, text: "x", exitCode: 0 }).done).toMatchObject({ cwd: "/" });
			shell.restart(here);
			expect(shell.cwd(here, work)).toBe(work);
		});

		contract("the agent gets its three tools, whatever the conversation", async ({ shell, work }) => {
			expect(shell.tools(here, work).map((tool) => tool.name)).toEqual(["Bash", "BashOutput", "KillBash"]);
		});

		contract("a job is listed for its conversation, announced when it changes, and ends once", async ({ shell, startJob }) => {
			const seen: string[] = [];
			const stop = shell.onJob((job) => seen.push(job.status));
			const bashId = await startJob(here);
			expect(shell.jobs(here)).toMatchObject([{ bashId, conversationId: here, status: "running" }]);
			expect([shell.jobs(there), shell.jobs().length]).toEqual([[], 1]);
			expect(await shell.jobOutput({ conversationId: here, bashId })).toMatchObject({ ok: true, status: "running" });
			expect(await shell.killJob(here, bashId)).toMatchObject({ ok: true });
			expect(shell.jobs(here)).toMatchObject([{ bashId, status: "killed" }]);
			expect([seen[0], seen.at(-1)]).toEqual(["running", "killed"]);
			const heard = seen.length;
			stop();
			expect(await shell.killJob(here, bashId)).toMatchObject({ ok: false, message: expect.stringContaining("already") });
			expect(seen).toHaveLength(heard);
		});

		contract("of jobs that are not there one hears so in words", async ({ shell }) => {
			expect(await shell.jobOutput({ conversationId: here, bashId: "bash_9" })).toMatchObject({
				ok: false,
				text: expect.stringContaining('"bash_9"'),
			});
			expect(await shell.killJob(here, "bash_9")).toMatchObject({ ok: false, message: expect.stringContaining('"bash_9"') });
		});

		contract("the end of a job is noted until it is marked as told; asking changes nothing", async ({ shell, startJob }) => {
			const bashId = await startJob(here);
			expect(shell.finishedNotes(here)).toEqual([]);
			await shell.killJob(here, bashId);
			const notes = shell.finishedNotes(here);
			expect(notes).toMatchObject([{ bashId, text: expect.stringContaining(bashId) }]);
			expect(shell.finishedNotes(here)).toEqual(notes);
			shell.markNotesTold(here, notes);
			expect(shell.finishedNotes(here)).toEqual([]);
		});

		contract("forgetting a conversation ends what runs for it, and only that", async ({ shell, work, exec, startJob }) => {
			shell.setCwd(here, "/");
			await startJob(here);
			const [mine, theirs] = [exec({ conversation: here, text: "mine" }), exec({ conversation: there, text: "theirs" })];
			await shell.forget(here);
			expect(await mine.done).toMatchObject({ end: "killed" });
			expect([shell.jobs(here), shell.cwd(here, work)]).toEqual([[], work]);
			theirs.kill();
			expect(await theirs.done).toMatchObject({ end: "killed" });
		});

		contract("closing ends everything, and later commands end at once with a sentence", async ({ shell, exec }) => {
			const running = exec({ conversation: here, text: "on" });
			await shell.close();
			expect((await running.done).end).toMatch(/^(?:killed|lost)$/);
			const said: string[] = [];
			expect(await exec({ conversation: here, text: "no", exitCode: 0, onOutput: (text) => said.push(text) }).done).toMatchObject({
				exitCode: 126,
				output: "The server is shutting down.\n",
				end: "exited",
			});
			expect(said.join("")).toBe("The server is shutting down.\n");
			await shell.close();
		});
	});
}
