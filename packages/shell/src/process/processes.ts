import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { cutText } from "@rightseat/protocol/text";
import { createTimedReader } from "./timed-reader.ts";

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

/** What runs on this machine. Nothing here rejects, and however many processes there are, nothing holds the thread for more than a few milliseconds. */
export interface Processes {
	/** All processes, at most a few milliseconds old, and never as of before `notBefore` (a time of `performance.now()`). */
	table(notBefore?: number): Promise<ProcessTable>;
	/** A line that names the process, at most 200 characters; empty when it does not answer. */
	commandLine(pid: number): Promise<string>;
}

/** How the kernel is asked. */
export interface ProcessFiles {
	list(): string[];
	/** Never waits: the kernel has it at hand. */
	stat(name: string): string | undefined;
	/** `environ` and `cmdline` are read from the memory of the process, and wait for as long as that is locked. */
	memory(path: string): Promise<Buffer>;
}

/** Cookie in the environment of every command; a process keeps it when it leaves group, session and parent. */
export const TAG_VARIABLE = "RIGHTSEAT_CMD";
const TABLE_MAX_AGE_MS = 10;
/** Between two slices of a scan everybody else has a turn. */
const SLICE_MS = 5;

export function createProcesses(files: ProcessFiles = PROC): Processes {
	const memory = createTimedReader(files.memory);
	// The environment of a process is read once: it cannot gain our cookie later, and one that we know as ours stays ours
	// when it replaces its program without an environment.
	let tags = new Map<string, string | undefined>();
	let last: Scan = { beganAt: Number.NEGATIVE_INFINITY, isDone: true, table: Promise.resolve(new Map()) };
	let next: Promise<ProcessTable> | undefined;

	async function scan(): Promise<ProcessTable> {
		if (process.platform !== "linux" && files === PROC) return askPs();
		const table = await readTable(files);
		const seen = new Map<string, string | undefined>();
		const fresh: ProcessEntry[] = [];
		for (const entry of table.values()) {
			const identity = `${entry.pid}:${entry.start}`;
			entry.tag = tags.get(identity);
			if (tags.has(identity)) seen.set(identity, entry.tag);
			else fresh.push(entry);
		}
		await Promise.all(
			fresh.map(async (entry) => {
				const environment = await memory.read(`/proc/${entry.pid}/environ`);
				entry.tag = findTag(environment);
				// An empty environment may only mean that the program is just being loaded.
				if (environment !== undefined && environment.length > 0) seen.set(`${entry.pid}:${entry.start}`, entry.tag);
			}),
		);
		tags = seen;
		return table;
	}

	/** One scan at a time: who comes too late for the one that goes on shares the one after it. */
	function scanAgain(): Promise<ProcessTable> {
		next ??= last.table.then(() => {
			next = undefined;
			const beganAt = performance.now();
			const table = scan();
			const current: Scan = { beganAt, isDone: false, table };
			last = current;
			return table.finally(() => {
				current.isDone = true;
			});
		});
		return next;
	}

	return {
		table(notBefore = Number.NEGATIVE_INFINITY) {
			const isFresh = !last.isDone || performance.now() - last.beganAt <= TABLE_MAX_AGE_MS;
			return isFresh && last.beganAt > notBefore ? last.table : scanAgain();
		},
		async commandLine(pid) {
			const text = (await memory.read(`/proc/${pid}/cmdline`))?.toString("utf8") ?? "";
			return cutText(text.replaceAll("\0", " ").trim(), 200);
		},
	};
}

interface Scan {
	beganAt: number;
	isDone: boolean;
	table: Promise<ProcessTable>;
}

async function readTable(files: ProcessFiles): Promise<Map<number, ProcessEntry>> {
	const table = new Map<number, ProcessEntry>();
	let sliceBegan = performance.now();
	for (const name of files.list()) {
		const entry = parseStat(name, files.stat(name));
		if (entry !== undefined) table.set(entry.pid, entry);
		if (performance.now() - sliceBegan < SLICE_MS) continue;
		await setImmediate();
		sliceBegan = performance.now();
	}
	return table;
}

const PROC: ProcessFiles = {
	list: () => readdirSync("/proc").filter((name) => /^\d+$/.test(name)),
	stat: (name) => read(`/proc/${name}/stat`)?.toString("latin1"),
	memory: (path) => readFile(path),
};

/** Now, in the unit of start times: hundredths of a second since the system started. */
export function ticksNow(): number {
	return Math.floor(Number(read("/proc/uptime")?.toString("latin1").split(" ")[0] ?? 0) * 100);
}

/** Start time of a process, or undefined if there is none with this id. */
export function startTime(pid: number): string | undefined {
	return parseStat(String(pid), PROC.stat(String(pid)))?.start;
}

const PS_LIMIT_MS = 5_000;

/** Where there is no /proc: no cookies, so what leaves its group and its parent is out of sight. */
function askPs(): Promise<ProcessTable> {
	return new Promise((resolve) => {
		execFile("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], { timeout: PS_LIMIT_MS, killSignal: "SIGKILL" }, (_, stdout) => {
			const table = new Map<number, ProcessEntry>();
			for (const line of stdout.split("\n")) {
				const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
				const entry = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
				const zombie = state?.startsWith("Z") ?? false;
				if (pid !== "") table.set(entry.pid, { ...entry, start: start.join(" "), zombie, tag: undefined });
			}
			resolve(table);
		});
	});
}

function parseStat(name: string, stat: string | undefined): ProcessEntry | undefined {
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
