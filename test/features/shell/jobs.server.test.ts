import type { Job } from "@rightseat/protocol/model/job";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { MAX_WAITED_PER_CONVERSATION } from "../../../packages/server/src/shell/service/bash-tool.ts";
import { freePort } from "../../support/free-port.ts";
import { openShellBed, processesWith, type ShellBed, uniqueSeconds, watchThread } from "./shell-harness.ts";

let bed: ShellBed;
beforeAll(async () => {
	bed = await openShellBed();
	await bed.out("true");
});
afterAll(() => bed.close());

let conversations = 0;
const fresh = () => ({ conversation: conversationId(`j${++conversations}`) });
type Where = ReturnType<typeof fresh>;

async function background(command: string, options: Where, extra: object = {}): Promise<string> {
	const { ok, text } = await bed.call("Bash", { command, run_in_background: true, ...extra }, options);
	expect([ok, text]).toEqual([true, expect.stringMatching(/^bash_id: bash_\d+\n/)]);
	return /bash_\d+/.exec(text)?.[0] ?? "";
}

const standing = (bash_id: string, options: Where) => async () =>
	(await bed.call("BashOutput", { bash_id }, options)).text.split("\n").at(-1);
const ended = async (bash_id: string, options: Where) => {
	await expect.poll(standing(bash_id, options)).not.toContain("is running");
	return bed.call("BashOutput", { bash_id }, options);
};

test("[SH19] run_in_background returns an id at once; the output so far can be read again and again", async () => {
	const options = fresh();
	// It cannot end before the call has returned.
	const id = await background("echo begun; while [ ! -e end-19 ]; do sleep 0.05; done; echo done", options);
	await expect.poll(async () => (await bed.call("BashOutput", { bash_id: id }, options)).text).toBe(`begun\n[${id} is running]`);
	await bed.out("touch end-19", options);
	const first = await ended(id, options);
	expect(first).toEqual({ ok: true, text: `begun\ndone\n[${id} exited with exit code: 0]` });
	expect(await bed.call("BashOutput", { bash_id: id }, options)).toEqual(first);
});

test("[SH19] a background command starts from the shell's state and adds nothing to it", async () => {
	const options = fresh();
	await bed.out("A=1; cd /usr", options);
	const id = await background("echo $A; pwd; A=2; cd /", options);
	expect((await ended(id, options)).text).toContain("1\n/usr\n");
	expect(await bed.out("echo $A; pwd", options)).toBe("1\n/usr");
});

test("[SH20] new_only returns what came since the last time", async () => {
	const options = fresh();
	const id = await background("echo one; while [ ! -e go ]; do sleep 0.05; done; echo two", options);
	await expect.poll(async () => (await bed.call("BashOutput", { bash_id: id }, options)).text).toContain("one");
	expect((await bed.call("BashOutput", { bash_id: id, new_only: true }, options)).text).toBe(`one\n[${id} is running]`);
	expect((await bed.call("BashOutput", { bash_id: id, new_only: true }, options)).text).toBe(`(nothing new)\n[${id} is running]`);
	await bed.out("touch go", options);
	await ended(id, options);
	expect((await bed.call("BashOutput", { bash_id: id, new_only: true }, options)).text).toContain("two\n");
	expect((await bed.call("BashOutput", { bash_id: id }, options)).text).toContain("one\ntwo\n");
});

test("[SH21] a filter shows the lines that match and destroys nothing; a bad one is an error", async () => {
	const options = fresh();
	const id = await background("printf '%s\\n' info error info error", options);
	await ended(id, options);
	expect((await bed.call("BashOutput", { bash_id: id, filter: "^err" }, options)).text).toMatch(/^error\nerror\n\[/);
	expect((await bed.call("BashOutput", { bash_id: id, filter: "warn" }, options)).text).toContain("(no line matches the filter)");
	expect(await bed.call("BashOutput", { bash_id: id, filter: "[" }, options)).toMatchObject({
		ok: false,
		text: expect.stringContaining("not a valid"),
	});
	expect((await bed.call("BashOutput", { bash_id: id }, options)).text).toContain("info\nerror\ninfo\nerror\n");
});

test("[SH21] an evil filter does not hold up the server", async () => {
	const options = fresh();
	const id = await background("head -c 5000 /dev/zero | tr '\\0' a; echo '!'", options);
	await ended(id, options);
	const thread = watchThread();
	expect((await bed.call("BashOutput", { bash_id: id, filter: "(a+)+$" }, options)).text).toContain("no line matches");
	expect(thread.stop()).toBeLessThan(500);
});

test("[SH22] KillBash ends the whole group and says so; a second time it says that there is nothing", async () => {
	const options = fresh();
	const seconds = uniqueSeconds();
	const id = await background(`echo up; sleep ${seconds} & setsid sleep ${seconds} & sleep ${seconds}`, options);
	await expect.poll(() => processesWith(`sleep ${seconds}`).length).toBeGreaterThanOrEqual(3);
	expect(await bed.call("KillBash", { bash_id: id }, options)).toEqual({
		ok: true,
		text: `${id} was ended with all its processes. Its last output:\nup\n`,
	});
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
	expect(await bed.call("KillBash", { bash_id: id }, options)).toMatchObject({
		ok: false,
		text: expect.stringContaining(`${id} was killed already`),
	});
	const done = await background("exit 3", options);
	await ended(done, options);
	expect(await bed.call("KillBash", { bash_id: done }, options)).toMatchObject({
		ok: false,
		text: expect.stringContaining("exited with exit code: 3 already"),
	});
});

test("[SH221] when a job ends by itself while it is being killed there is one end, with the right code", async () => {
	const options = fresh();
	for (let i = 0; i < 10; i++) {
		const id = await background(`sleep 0.0${i}; exit 5`, options);
		await bed.call("KillBash", { bash_id: id }, options);
		const job = bed.shell.jobs(options.conversation).find((candidate) => candidate.bashId === id);
		expect([job?.status === "exited" ? job.exitCode : 5, job?.status]).toEqual([5, expect.stringMatching(/^(exited|killed)$/)]);
	}
});

test("[SH222] an id that does not exist, or belongs elsewhere, is a clear error", async () => {
	const [mine, theirs] = [fresh(), fresh()];
	await background("sleep 60", mine);
	for (let i = 0; i < 3; i++) await background("sleep 60", theirs);
	for (const tool of ["BashOutput", "KillBash"] as const) {
		expect(await bed.call(tool, { bash_id: "bash_99" }, mine)).toEqual({
			ok: false,
			text: 'There is no job "bash_99". Use the bash_id that Bash returned. Running here: bash_1.',
		});
		expect(await bed.call(tool, { bash_id: "bash_3" }, mine)).toMatchObject({
			ok: false,
			text: expect.stringContaining("belongs to another conversation"),
		});
	}
	expect(bed.shell.jobs(theirs.conversation)).toHaveLength(3);
	await Promise.all([bed.shell.forget(mine.conversation), bed.shell.forget(theirs.conversation)]);
});

test("[SH24] the 17th job is refused with a sentence that says what to do; foreground leftovers are ended then", async () => {
	const options = fresh();
	await Promise.all(Array.from({ length: 16 }, () => background("sleep 300", options)));
	expect(await bed.call("Bash", { command: "sleep 300", run_in_background: true }, options)).toMatchObject({
		ok: false,
		text: expect.stringContaining(
			"16 background jobs already run in this conversation. End one first, for example with KillBash on bash_1",
		),
	});
	const seconds = uniqueSeconds();
	const { text } = await bed.call("Bash", { command: `sleep ${seconds} & echo x` }, options);
	expect(text).toContain("still running in the background (ended: 16 background jobs already run");
	await expect.poll(() => processesWith(`sleep ${seconds}`)).toEqual([]);
	await bed.shell.forget(options.conversation);
	expect(bed.shell.jobs(options.conversation)).toEqual([]);
});

test("[SH24] commands that somebody waits for are bounded too", async () => {
	const options = fresh();
	const turn = new AbortController();
	const running = Array.from({ length: MAX_WAITED_PER_CONVERSATION }, () =>
		bed.call("Bash", { command: "sleep 60" }, { ...options, signal: turn.signal }),
	);
	expect(await bed.call("Bash", { command: "echo hi" }, options)).toMatchObject({
		ok: false,
		text: expect.stringContaining("already run in this conversation"),
	});
	expect(await bed.exec("echo hi", options)).toMatchObject({
		exitCode: 126,
		output: expect.stringContaining("Too many commands run already"),
	});
	expect(await bed.out("echo hi", fresh())).toBe("hi");
	turn.abort();
	expect((await Promise.all(running)).map(({ ok }) => ok)).not.toContain(true);
});

test("[SH25] a background job with a timeout ends as timed out", async () => {
	const options = fresh();
	const id = await background("echo a; sleep 60", options, { timeout: 2_000 });
	expect((await ended(id, options)).text).toBe(`a\n[${id} timed out and was ended]`);
	expect(bed.shell.jobs(options.conversation)[0]).toMatchObject({ status: "timed_out" });
});

function tellNotes(conversation: ConversationId): string[] {
	const notes = bed.shell.finishedNotes(conversation);
	bed.shell.markNotesTold(conversation, notes);
	return notes.map((note) => note.text);
}

test("[SH26] a job that ended by itself is told to the agent once, unless it has read that already", async () => {
	const options = fresh();
	const gone = new Promise<Job>((resolve) => {
		const stop = bed.shell.onJob((job) => {
			if (job.conversationId !== options.conversation || job.status === "running") return;
			stop();
			resolve(job);
		});
	});
	const id = await background("exit 4", options);
	await gone;
	expect(tellNotes(options.conversation)).toEqual([`Background job ${id} (\`exit 4\`) has exited with code 4.`]);
	expect(tellNotes(options.conversation)).toEqual([]);
	await ended(await background("exit 5", options), options);
	const killed = await background("sleep 60", options);
	await bed.call("KillBash", { bash_id: killed }, options);
	expect(tellNotes(options.conversation)).toEqual([]);
	const other = await background("sleep 60", options);
	expect(await bed.shell.killJob(options.conversation, other)).toMatchObject({ ok: true });
	expect(tellNotes(options.conversation)).toEqual([`Background job ${other} (\`sleep 60\`) was ended by a person.`]);
});

test("[SH27] the list of jobs tells command, process, port and newest output, and every change is announced", async () => {
	const options = fresh();
	const port = await freePort();
	const seen: string[] = [];
	const stop = bed.shell.onJob((job) => {
		if (job.conversationId === options.conversation) seen.push(`${job.status} ${(job.ports ?? []).join()}`);
	});
	const script = `require("net").createServer().listen(${port},"127.0.0.1",()=>console.log("listening"))`;
	const id = await background(`node -e '${script}'`, options, { description: "A server" });
	await expect
		.poll(() => bed.shell.jobs(options.conversation)[0])
		.toMatchObject({
			...{ bashId: id, status: "running", description: "A server", pid: expect.any(Number), ports: [port] },
			tail: "listening\n",
		});
	expect(await bed.shell.jobOutput({ conversationId: options.conversation, bashId: id })).toEqual({
		...{ ok: true, status: "running" },
		text: `listening\n[${id} is running, listening on port ${port}]`,
	});
	await bed.shell.killJob(options.conversation, id);
	stop();
	expect(seen).toEqual(["running ", "running ", `running ${port}`, `killed ${port}`]);
});

test("[SH46] wrong arguments get an answer that says what is wrong", async () => {
	const wrong: [Parameters<ShellBed["call"]>[0], unknown, string][] = [
		["Bash", {}, "command is empty"],
		["Bash", { command: "  " }, "command is empty"],
		["Bash", { command: 5 }, "command"],
		["Bash", { command: "a\0b" }, "NUL"],
		["Bash", { command: "x".repeat(1_000_001) }, "longer than"],
		["Bash", { command: "ls", run_in_background: "yes" }, "run_in_background"],
		["Bash", { command: "ls", on_timeout: "explode" }, "on_timeout"],
		["Bash", undefined, "command is empty"],
		["Bash", "ls", "wrong arguments"],
		["BashOutput", {}, "bash_id"],
		["BashOutput", { bash_id: null }, "bash_id"],
		["BashOutput", { bash_id: "x", filter: 1 }, "filter"],
		["KillBash", { bash_id: 1 }, "bash_id"],
	];
	for (const [tool, args, expected] of wrong) {
		const { ok, text } = await bed.call(tool, args);
		expect([ok, text.includes(expected), text]).toEqual([false, true, text]);
	}
});

test("[SH46] an argument that is null counts as left out", async () => {
	const left = { timeout: null, description: null, run_in_background: null, on_timeout: null, restart: null };
	expect(await bed.call("Bash", { command: "echo here", ...left })).toMatchObject({ ok: true, text: expect.stringContaining("here") });
});

test("[SH45] forgetting a conversation ends what runs for it and removes all its files", async () => {
	const options = fresh();
	const seconds = uniqueSeconds();
	await bed.out("A=1; seq 1 20000", options);
	await background(`sleep ${seconds}`, options);
	const waiting = bed.call("Bash", { command: `sleep ${seconds}` }, options);
	await expect.poll(() => processesWith(`sleep ${seconds}`).length).toBeGreaterThanOrEqual(2);
	await bed.shell.forget(options.conversation);
	expect((await waiting).ok).toBe(false);
	expect(processesWith(`sleep ${seconds}`)).toEqual([]);
	expect((await bed.exec(`ls ${bed.home}/shell/conversations | grep -cx ${options.conversation}`)).output).toBe("0\n");
	expect(await bed.out(`echo \${A-none}`, options)).toBe("none");
});
