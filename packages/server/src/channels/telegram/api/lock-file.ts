import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface LockFile {
	release(): void;
}

/** One process per token: throws with the other process's id when a living one holds the lock. */
export function takeLock(home: string, token: string): LockFile {
	const hash = createHash("sha256").update(token).digest("hex").slice(0, 10);
	const path = join(home, `telegram-${hash}.lock`);
	const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) });
	for (let attempt = 0; attempt < 3; attempt++) {
		try {
			writeFileSync(path, mine, { flag: "wx", mode: 0o600 });
			return { release: () => releaseIfMine(path, mine) };
		} catch (error) {
			if (!isExists(error)) throw error;
			const holder = readHolder(path);
			if (holder !== undefined && isAlive(holder)) {
				throw new Error(`Another Rightseat (process ${holder.pid}) already uses this bot token. Stop it, or give this one another token.`);
			}
			rmSync(path, { force: true });
		}
	}
	throw new Error(`The lock ${path} could not be taken. Remove it if no other Rightseat runs.`);
}

interface Holder {
	pid: number;
	startedAt: string;
}

function readHolder(path: string): Holder | undefined {
	try {
		const value: unknown = JSON.parse(readFileSync(path, "utf8"));
		if (typeof value !== "object" || value === null) return undefined;
		const pid: unknown = Reflect.get(value, "pid");
		return typeof pid === "number" ? { pid, startedAt: String(Reflect.get(value, "startedAt")) } : undefined;
	} catch {
		return undefined;
	}
}

// Process ids are used again: the start time tells a successor from the holder.
const isAlive = (holder: Holder) => isRunning(holder.pid) && startOf(holder.pid) === holder.startedAt;

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && Reflect.get(error, "code") === "EPERM";
	}
}

/** When a process started, in the kernel's ticks; empty where the system does not say. */
function startOf(pid: number): string {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
	} catch {
		return "";
	}
}

function releaseIfMine(path: string, mine: string): void {
	try {
		if (readFileSync(path, "utf8") === mine) rmSync(path, { force: true });
	} catch (error) {
		if (!(error instanceof Error) || Reflect.get(error, "code") !== "ENOENT") throw error;
	}
}

const isExists = (error: unknown) => error instanceof Error && Reflect.get(error, "code") === "EEXIST";
