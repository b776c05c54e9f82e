import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cutText } from "@rightseat/protocol/text";

/** One process as the kernel shows it. `start` tells it from a later process with the same id. */
export interface ProcessEntry {
	pid: number;
	parent: number;
	group: number;
	session: number;
	start: string;
	zombie: boolean;
	/** Value of our cookie in its environment, or undefined. */
	tag: string | undefined;
}

export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

export interface Processes {
	/** All processes, at most a few milliseconds old, and never as of before `notBefore` (a time of `performance.now()`). */
	table(notBefore?: number): ProcessTable;
	/** A line that names the process, at most 200 characters. */
	commandLine(pid: number): string;
}

/** Cookie in the environment of every command; a process keeps it when it leaves group, session and parent. */
export const TAG_VARIABLE = "RIGHTSEAT_CMD";
const TABLE_MAX_AGE_MS = 10;

export function createProcesses(): Processes {
	// The environment of a process is read once: it can not gain our cookie later, and one that we know as ours stays ours
	// when it replaces its program without an environment.
	let tags = new Map<string, string | undefined>();
	let cached: ProcessTable = new Map();
	let cachedAt = Number.NEGATIVE_INFINITY;

	const scan = (): ProcessTable => {
		const table = new Map<number, ProcessEntry>();
		const seen = new Map<string, string | undefined>();
		for (const name of listProcesses()) {
			const entry = readEntry(name);
			if (entry === undefined) continue;
			const identity = `${entry.pid}:${entry.start}`;
			const known = tags.has(identity);
			const environment = known ? undefined : readEnvironment(name);
			entry.tag = known ? tags.get(identity) : findTag(environment);
			// An empty environment may only mean that the program is just being loaded.
			if (known || (environment !== undefined && environment.length > 0)) seen.set(identity, entry.tag);
			table.set(entry.pid, entry);
		}
		tags = seen;
		return table;
	};

	return {
		table(notBefore = Number.NEGATIVE_INFINITY) {
			const now = performance.now();
			if (now - cachedAt > TABLE_MAX_AGE_MS || cachedAt <= notBefore) {
				cached = process.platform === "linux" ? scan() : askPs();
				cachedAt = now;
			}
			return cached;
		},
		commandLine(pid) {
			const text = (read(`/proc/${pid}/cmdline`)?.toString("utf8") ?? "").replaceAll("\0", " ").trim();
			return cutText(text, 200);
		},
	};
}

/** Now, in the unit of start times: hundredths of a second since the system started. */
export function ticksNow(): number {
	return Math.floor(Number(read("/proc/uptime")?.toString("latin1").split(" ")[0] ?? 0) * 100);
}

/** Start time of a process, or undefined if there is none with this id. */
export function startTime(pid: number): string | undefined {
	return readEntry(String(pid))?.start;
}

function listProcesses(): string[] {
	return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

/** Where there is no /proc: no cookies, so what leaves its group and its parent is out of sight. */
function askPs(): ProcessTable {
	const table = new Map<number, ProcessEntry>();
	const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], { encoding: "utf8" }).split("\n");
	for (const line of lines) {
		const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
		const entry = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
		if (pid !== "") table.set(entry.pid, { ...entry, start: start.join(" "), zombie: state?.startsWith("Z") ?? false, tag: undefined });
	}
	return table;
}

function readEntry(name: string): ProcessEntry | undefined {
	const stat = read(`/proc/${name}/stat`)?.toString("latin1");
	if (stat === undefined) return undefined;
	// The name in brackets may hold spaces and brackets itself.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return {
		pid: Number(name),
		parent: Number(fields[1]),
		group: Number(fields[2]),
		session: Number(fields[3]),
		start: fields[19] ?? "",
		zombie: fields[0] === "Z" || fields[0] === "X",
		tag: undefined,
	};
}

function readEnvironment(name: string): Buffer | undefined {
	return read(`/proc/${name}/environ`);
}

function findTag(environment: Buffer | undefined): string | undefined {
	if (environment === undefined) return undefined;
	const text = environment.toString("latin1");
	const key = `${TAG_VARIABLE}=`;
	const at = text.startsWith(key) ? 0 : text.indexOf(`\0${key}`) + 1;
	if (at === 0 && !text.startsWith(key)) return undefined;
	const end = text.indexOf("\0", at);
	return text.slice(at + key.length, end < 0 ? undefined : end);
}

function read(path: string): Buffer | undefined {
	try {
		return readFileSync(path);
	} catch {
		// Ended meanwhile, or of another user.
		return undefined;
	}
}
