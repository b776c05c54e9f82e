import type { Benchmark } from "./support/benchmark.ts";
import { withCommandLine } from "./support/processes.ts";
import { atMost, row } from "./support/row.ts";
import { withScratch } from "./support/scratch.ts";
import { type ShellBed, withShell } from "./support/shell-bed.ts";
import { percentile } from "./support/statistics.ts";

const AT_ONCE = 25;
const LOOKS = 40;

/** A tree that ignores TERM: children, grandchildren, and one that left the session and lost its parent. */
const tree = (mark: string) => `trap '' TERM
(trap '' TERM; sleep ${mark} & (trap '' TERM; sleep ${mark} & wait) & wait) &
setsid bash -c "trap '' TERM; sleep ${mark}; true" &
(setsid bash -c "trap '' TERM; sleep ${mark}; true" &)
sleep ${mark}; sleep ${mark}`;

/** How long stopping takes when the command does not want to stop, and what survives it. */
export const benchmark: Benchmark = {
	name: "shell-kill",
	run: ({ quick }) =>
		withScratch((home) =>
			withShell(home, async (bed) => {
				const tries = quick ? 4 : 1_000;
				const found: { ms: number; survivors: number }[] = [];
				for (let index = 0; index < tries; index += AT_ONCE) {
					const batch = Array.from({ length: Math.min(AT_ONCE, tries - index) }, (_, offset) => killOne(bed, index + offset));
					found.push(...(await Promise.all(batch)));
				}
				const times = found.map(({ ms }) => ms);
				const name = `kill of a tree that ignores TERM, ${tries.toLocaleString("en-US")} tries`;
				return {
					rows: [
						row({ name: `${name}, slowest`, unit: "ms", ours: [percentile(times, 1)], goal: atMost(3_500), quick }),
						row({ name: `${name}, median`, unit: "ms", ours: times, goal: atMost(3_500), quick }),
						row({
							name: `${name}, survivors`,
							unit: "processes",
							ours: [found.reduce((sum, { survivors }) => sum + survivors, 0)],
							goal: atMost(0),
							quick,
						}),
					],
				};
			}),
		),
};

async function killOne({ bash }: ShellBed, index: number): Promise<{ ms: number; survivors: number }> {
	// A number that no other process of this machine sleeps for.
	const mark = `${process.pid}${String(index).padStart(5, "0")}`;
	const stop = new AbortController();
	const running = bash(tree(mark), { signal: stop.signal, conversation: `kill-${index % AT_ONCE}` });
	await until(() => withCommandLine(`sleep\0${mark}`).length >= 5, "the tree to stand");
	const begin = performance.now();
	stop.abort();
	await running;
	const ms = performance.now() - begin;
	const survivors = withCommandLine(mark);
	for (const pid of survivors) process.kill(pid, "SIGKILL");
	return { ms, survivors: survivors.length };
}

async function until(condition: () => boolean, what: string): Promise<void> {
	for (let look = 0; look < LOOKS; look += 1) {
		if (condition()) return;
		await new Promise((resolve) => setTimeout(resolve, 250));
	}
	throw new Error(`Waited in vain for ${what}.`);
}
