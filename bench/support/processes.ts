import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of a process and, unless told otherwise, all it started, in MB; undefined where there is no /proc. */
export function treeRssMb(root: number, withChildren = true): number | undefined {
	const all = statuses();
	if (all === undefined) return undefined;
	if (!withChildren) return (all.get(root)?.rssKb ?? 0) / 1_024;
	const sum = (pid: number): number =>
		(all.get(pid)?.rssKb ?? 0) + [...all].reduce((total, [child, { parent }]) => total + (parent === pid ? sum(child) : 0), 0);
	return sum(root) / 1_024;
}

/** CPU time that a process has used so far, all its threads, none of its children; 0 where there is no /proc. */
export function processCpuMs(pid: number): number {
	const stat = readIfThere(`/proc/${pid}/stat`);
	// The name before it may hold anything, also spaces and brackets.
	const [user = 0, system = 0] = stat
		.slice(stat.lastIndexOf(")") + 2)
		.split(" ")
		.slice(11, 13)
		.map(Number);
	return (user + system) * TICK_MS;
}

/** The kernel counts CPU time for others to read in hundredths of a second, whatever it counts itself. */
const TICK_MS = 10;

/** Processes whose command line contains this text. */
export function withCommandLine(text: string): number[] {
	return pids().filter((pid) => pid !== process.pid && readIfThere(`/proc/${pid}/cmdline`).includes(text));
}

interface Status {
	parent: number;
	rssKb: number;
}

function statuses(): Map<number, Status> | undefined {
	const found = new Map<number, Status>();
	for (const pid of pids()) {
		const status = readIfThere(`/proc/${pid}/status`);
		found.set(pid, { parent: field(status, "PPid"), rssKb: field(status, "VmRSS") });
	}
	return found.size === 0 ? undefined : found;
}

const field = (status: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);

const pids = () =>
	process.platform === "linux"
		? readdirSync("/proc")
				.filter((name) => /^\d+$/.test(name))
				.map(Number)
		: [];

/** A process may end while it is looked at. */
function readIfThere(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
