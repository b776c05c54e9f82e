import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { GIVE_UP_MS, killTargets, membersOf, type Target, TERM_GRACE_MS } from "./kill.ts";
import { createProcesses, type ProcessEntry, startTime } from "./processes.ts";

const target: Target = { pid: 100, start: "5", tag: "ours", pipe: undefined, settledAt: undefined, orphans: new Set(["140:9"]) };
const entry = (pid: number, fields: Partial<ProcessEntry>): [number, ProcessEntry] => [
	pid,
	{ pid, parent: 1, group: pid, session: pid, start: "9", zombie: false, tag: undefined, ...fields },
];
const pids = (...entries: [number, ProcessEntry][]) => membersOf(target, new Map(entries)).map((member) => member.pid);

test("[SH15] members are found by group, session, parent, cookie and as claimed orphans", () => {
	expect(
		pids(
			entry(100, { start: "5" }),
			entry(101, { group: 100, session: 100, parent: 100 }),
			entry(102, { session: 100 }),
			entry(110, { tag: "ours" }),
			entry(111, { parent: 110 }),
			entry(112, { parent: 111 }),
			entry(140, {}),
		),
	).toEqual([100, 101, 102, 110, 111, 112, 140]);
});

test("[SH17] foreign processes are never members: other cookies, a reused number, a reused orphan, ourselves, the first process", () => {
	expect(pids(entry(200, {}), entry(201, { tag: "other" }), entry(140, { start: "10" }))).toEqual([]);
	expect(pids(entry(100, { start: "77" }), entry(101, { group: 100, session: 100 }))).toEqual([]);
	expect(pids(entry(1, { tag: "ours" }), entry(process.pid, { tag: "ours" }), entry(process.ppid, { tag: "ours" }))).toEqual([]);
	expect(pids(entry(103, { group: 100, tag: "other" }), entry(104, { tag: "ours", zombie: true }))).toEqual([]);
});

test("[SH17] ending one command leaves another alone", async () => {
	const start = (tag: string) => {
		const child = spawn("sleep", ["300"], { env: { ...process.env, RIGHTSEAT_CMD: tag }, detached: true, stdio: "ignore" });
		return { child, target: targetOf(child, tag) };
	};
	const first = start("test.first");
	const second = start("test.second");
	const ended = once(first.child, "exit");
	const killed = await killTargets([first.target], createProcesses(), () => undefined);
	await ended;
	expect(killed).toEqual({ processes: 1, forced: false, survivors: [] });
	expect(second.child.exitCode ?? second.child.signalCode).toBeNull();
	const gone = once(second.child, "exit");
	second.child.kill();
	await gone;
});

test("[SH52] a command that is ended in the moment of its start is gone, however fresh the last look at the processes was", async () => {
	const processes = createProcesses();
	for (let round = 0; round < 5; round += 1) {
		await processes.table();
		const child = spawn("sleep", ["300"], { env: { ...process.env, RIGHTSEAT_CMD: "test.moment" }, detached: true, stdio: "ignore" });
		const ended = once(child, "exit");
		const killed = await killTargets([targetOf(child, "test.moment")], processes, () => undefined);
		expect(killed).toMatchObject({ processes: 1, survivors: [] });
		await ended;
	}
});

test("[SH16] what does not go on TERM gets KILL after at most 2 s, and what survives that is given up and named", async () => {
	vi.useFakeTimers();
	const began = performance.now();
	const signals: [string | number | undefined, number][] = [];
	const kill = vi.spyOn(process, "kill").mockImplementation((_pid, signal) => {
		signals.push([signal, performance.now() - began]);
		return true;
	});
	try {
		const stuck = entry(99_999_999, { tag: "ours" });
		const killing = killTargets([target], { table: async () => new Map([stuck]), commandLine: async () => "" }, () => undefined);
		await vi.advanceTimersByTimeAsync(TERM_GRACE_MS + GIVE_UP_MS + 100);
		expect(await killing).toEqual({ processes: 1, forced: true, survivors: [99_999_999] });
	} finally {
		kill.mockRestore();
		vi.useRealTimers();
	}
	const [first] = signals;
	const [, forcedAt] = signals.find(([signal]) => signal === "SIGKILL") ?? [];
	expect(first).toEqual(["SIGTERM", 0]);
	expect(forcedAt).toBeGreaterThanOrEqual(TERM_GRACE_MS);
	expect(forcedAt).toBeLessThanOrEqual(2_000);
});

function targetOf(child: ChildProcess, tag: string): Target {
	const pid = child.pid ?? -1;
	return { pid, start: startTime(pid), tag, pipe: undefined, settledAt: undefined, orphans: new Set() };
}
