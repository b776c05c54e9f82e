import { expect, test } from "vitest";
import { createProcesses, type ProcessFiles, TAG_VARIABLE } from "./processes.ts";
import { createTimedReader, MAX_STUCK } from "./timed-reader.ts";

const stat = (name: string) => `${name} (a program) S 1 ${name} ${name} ${"0 ".repeat(15)}${Number(name) * 10} 0`;
const environ = (tag: string) => Buffer.from(`A=1\0${TAG_VARIABLE}=${tag}\0B=2`);
const never = new Promise<Buffer>(() => undefined);

function files(names: string[], memory: ProcessFiles["memory"]): ProcessFiles {
	return { list: () => names, stat, memory };
}

test("[SH133] a process whose memory does not answer costs only its cookie, once, and every other is seen", async () => {
	const asked: string[] = [];
	const processes = createProcesses(
		files(["10", "11", "12"], (path) => {
			asked.push(path);
			return path.includes("/11/") ? never : Promise.resolve(environ(`tag${path.split("/")[2]}`));
		}),
	);
	const table = await processes.table();
	expect([...table.values()].map(({ pid, start, tag }) => [pid, start, tag])).toEqual([
		[10, "100", "tag10"],
		[11, "110", undefined],
		[12, "120", "tag12"],
	]);
	expect(await processes.commandLine(12)).toContain("A=1");
	await processes.table(performance.now());
	// Its first read still waits, and what is known of the others is not read again.
	expect(asked.filter((path) => path.endsWith("environ"))).toHaveLength(3);
});

test("[SH133] reads that do not answer are bounded, so that file work of the others finds a thread", async () => {
	let pending = 0;
	const reader = createTimedReader(() => {
		pending++;
		return never;
	}, 5);
	for (let i = 0; i < 10; i++) expect(await reader.read(`/proc/${i}/environ`)).toBeUndefined();
	expect(pending).toBe(MAX_STUCK);
});

test("[SH133] a read that answers after all makes room for the next", async () => {
	const answers: ((bytes: Buffer) => void)[] = [];
	const reader = createTimedReader(() => new Promise<Buffer>((resolve) => answers.push(resolve)), 5);
	for (const path of ["a", "b", "c"]) expect(await reader.read(path)).toBeUndefined();
	expect(answers).toHaveLength(MAX_STUCK);
	for (const answer of answers) answer(Buffer.from("late"));
	// What follows from an answer happens before the next turn of the loop.
	await new Promise(setImmediate);
	const next = reader.read("c");
	expect(answers).toHaveLength(MAX_STUCK + 1);
	answers.at(-1)?.(Buffer.from("now"));
	expect(String(await next)).toBe("now");
});

test("[SH133] a look at ten thousand processes lets other work run in between", async () => {
	const names = Array.from({ length: 10_000 }, (_, index) => String(index + 2));
	const slow: ProcessFiles = {
		list: () => names,
		stat(name) {
			// As long as the kernel takes.
			for (const until = performance.now() + 0.01; performance.now() < until; );
			return stat(name);
		},
		memory: async () => environ("x"),
	};
	let turns = 0;
	let isOver = false;
	const count = () => {
		turns++;
		if (!isOver) setImmediate(count);
	};
	setImmediate(count);
	const table = await createProcesses(slow).table();
	isOver = true;
	expect(table.size).toBe(10_000);
	expect(turns).toBeGreaterThan(10);
});

test("[SH52] a look is never from before it was asked for, and those who ask while one goes on share the next", async () => {
	let scans = 0;
	const processes = createProcesses({
		list() {
			scans++;
			return ["10"];
		},
		stat,
		memory: async () => environ("x"),
	});
	const first = processes.table();
	// Lets the first look begin.
	await Promise.resolve();
	const now = performance.now();
	const later = [processes.table(now), processes.table(now), processes.table(now)];
	await Promise.all([first, ...later]);
	expect(scans).toBe(2);
	expect(new Set(await Promise.all(later)).size).toBe(1);
	expect(await first).not.toBe(await later[0]);
});
