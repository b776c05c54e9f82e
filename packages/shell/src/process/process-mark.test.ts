import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { endMarked } from "../daemon/end-marked.ts";
import { findMark, loadMarking, readMark } from "./process-mark.ts";
import { createProcesses } from "./processes.ts";

/** Of this test alone: others may run it on the same machine. */
const RUN = `41${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`;
const started: ChildProcess[] = [];
afterEach(() => {
	for (const child of started.splice(0)) child.kill("SIGKILL");
});

const randomMark = (run: string) => `${run}${String(Math.floor(Math.random() * 1e9)).padStart(9, "0")}`;

/** Runs a script that carries the mark, and gives the process ids that it says. */
async function run(mark: string, script: string) {
	const marking = await loadMarking();
	const start = () => spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
	const child = marking?.marked(mark, start) ?? start();
	started.push(child);
	const [line] = await once(child.stdout, "data");
	return { child, pids: String(line).trim().split(/\s+/).map(Number) };
}

const DAEMON = `env -i bash -c 'cd /; trap "" TERM; setsid sleep 1000 >/dev/null 2>&1 & echo $!'`;
const linux = test.skipIf(process.platform !== "linux");

linux(
	"[SH400] a mark is handed on to everything that comes of a process, and lost neither with environment, session nor parent",
	async () => {
		const mark = randomMark(RUN);
		const { child, pids } = await run(mark, DAEMON);
		await once(child, "exit");
		expect(pids.map(findMark)).toEqual([mark]);
		expect(await Promise.all(pids.map(readMark))).toEqual([mark]);
		await endMarked(mark, createProcesses());
		expect(pids.map(findMark)).toEqual([undefined]);
	},
);

linux("[SH402] a process that runs already can be marked, with what comes of it later; one that is gone is no error", async () => {
	const mark = randomMark(RUN);
	const child = spawn("bash", ["-c", `read; ${DAEMON}; exec sleep 1000`], { stdio: ["pipe", "pipe", "ignore"] });
	started.push(child);
	const { pid = 0 } = child;
	const marking = await loadMarking();
	expect(findMark(pid)).toBeUndefined();
	marking?.put(mark, pid);
	child.stdin.write("\n");
	const [line] = await once(child.stdout, "data");
	expect([findMark(pid), findMark(Number(line)), findMark(process.pid)]).toEqual([mark, mark, undefined]);
	await endMarked(mark, createProcesses());
	marking?.put(mark, pid);
	expect([findMark(pid), findMark(Number(line))]).toEqual([undefined, undefined]);
});

linux("[SH400] whoever starts a marked process is not marked, and one that has ended is not either", async () => {
	const marking = await loadMarking();
	expect(() => marking?.marked(randomMark(RUN), () => expect.fail("no start"))).toThrow("no start");
	expect(findMark(process.pid)).toBeUndefined();
	const { pids } = await run(randomMark(RUN), "sleep 0 & echo $!; exec sleep 1000");
	await expect.poll(() => pids.map(findMark)).toEqual([undefined]);
});

linux("[SH401] ending what is marked ends what takes no notice of TERM, and nothing of another mark", async () => {
	const [ours, others] = [await run(randomMark(RUN), DAEMON), await run(randomMark("4999999999"), "echo $$; exec sleep 1000")];
	expect(await endMarked(RUN, createProcesses())).toMatchObject({ forced: true, survivors: [] });
	expect([...ours.pids, ...others.pids].map((pid) => findMark(pid) !== undefined)).toEqual([false, true]);
});
