import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What the operating system knows about a process: memory in use, and processor time spent so far. */
export interface Vitals {
	rssBytes: number;
	cpuMs: number;
}

const PS_LIMIT_MS = 2_000;

/** Undefined when it cannot be found out, for instance because the process is gone. */
export async function readVitals(pid: number): Promise<Vitals | undefined> {
	try {
		if (process.platform === "linux") return fromProc(await readFile(`/proc/${pid}/stat`, "utf8"));
		const { stdout } = await promisify(execFile)("ps", ["-o", "rss=,time=", "-p", String(pid)], { timeout: PS_LIMIT_MS });
		return fromPs(stdout);
	} catch {
		return undefined;
	}
}

/** Of every Linux that Node runs on. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/** The name of the program stands in brackets and may hold anything, brackets and spaces too. */
export function fromProc(stat: string): Vitals | undefined {
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
	if (user === undefined || system === undefined || pages === undefined || Number.isNaN(user + system + pages)) return undefined;
	return { rssBytes: pages * PAGE_BYTES, cpuMs: (user + system) * TICK_MS };
}

/** `rss` in kilobytes and `time` as `[[days-]hours:]minutes:seconds`, with a fraction on macOS. */
export function fromPs(line: string): Vitals | undefined {
	const [rss, time] = line.trim().split(/\s+/);
	const found = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(time ?? "");
	if (found === null || Number.isNaN(Number(rss))) return undefined;
	const [days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
	const total = (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
	return { rssBytes: Number(rss) * 1_024, cpuMs: Math.round(total * 1_000) };
}
