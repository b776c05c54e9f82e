import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { findMark, readMark } from "@rightseat/shell/process/process-mark";
import type { Clock } from "../core/kernel/clock.ts";
import { settlesInTime } from "../core/kernel/with-timeout.ts";
import { MARKER_VARIABLE } from "./markers.ts";

/** How many times the processes are looked at, at most. */
const MAX_LOOKS = 10;
/** A process that is just loading its program shows no environment: only what is missing twice is not there. */
const EMPTY_LOOKS = 2;
/** The environment is read from the memory of a process, and waits for as long as that is locked. */
const READ_LIMIT_MS = 1_000;

/**
 * Kills every process whose marker fits, wherever it has moved: agents run commands in sessions of their own and leave them behind. The marker
 * is its mark, which nothing that comes of an agent loses, else a variable of its environment. Never rejects. On systems without `/proc` it
 * finds nothing: there only the process group is killed.
 */
export async function killMarked(clock: Clock, fits: (marker: string) => boolean): Promise<number> {
	let killed = 0;
	let empty = 0;
	for (let look = 0; look < MAX_LOOKS && empty < EMPTY_LOOKS; look++) {
		const found = await findMarked(clock, fits);
		for (const pid of found) if (kill(pid)) killed += 1;
		empty = found.length === 0 ? empty + 1 : 0;
	}
	return killed;
}

/** The same without waiting, for a process that ends at once. Never throws. */
export function killMarkedNow(fits: (marker: string) => boolean): number {
	let killed = 0;
	for (let look = 0; look < EMPTY_LOOKS; look++) killed += lookAndKill(fits);
	return killed;
}

function lookAndKill(fits: (marker: string) => boolean): number {
	let killed = 0;
	for (const name of attempt(() => readdirSync("/proc"), []).filter((one) => /^\d+$/.test(one) && Number(one) !== process.pid)) {
		const marker = findMark(Number(name)) ?? markerOf(attempt(() => readFileSync(`/proc/${name}/environ`, "latin1"), ""));
		if (marker !== undefined && fits(marker) && kill(Number(name))) killed += 1;
	}
	return killed;
}

function attempt<T>(read: () => T, otherwise: T): T {
	try {
		return read();
	} catch {
		// It has ended, belongs to somebody else, or there is no such folder here.
		return otherwise;
	}
}

/** The ids of all processes whose marker fits; never our own. One that has ended and waits to be reaped is not among them. */
export async function findMarked(clock: Clock, fits: (marker: string) => boolean): Promise<number[]> {
	const names = await readdir("/proc").catch((): string[] => []);
	const found = await Promise.all(
		names
			.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
			.map(async (name) => {
				const marker = (await readMark(Number(name))) ?? markerOf(await readEnvironment(clock, name));
				return marker !== undefined && fits(marker) ? [Number(name)] : [];
			}),
	);
	return found.flat();
}

/** The ids of all processes below one that lives, whatever their environment, group and session are; never our own. */
export async function findDescendants(root: number): Promise<number[]> {
	const names = (await readdir("/proc").catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
	const parents = await Promise.all(names.map(async (name) => ({ pid: Number(name), parent: await parentOf(name) })));
	const found = new Set([root]);
	// The walk goes on into what it adds.
	for (const above of found) {
		for (const { pid, parent } of parents) if (parent === above && pid !== process.pid) found.add(pid);
	}
	found.delete(root);
	return [...found];
}

async function parentOf(pid: string): Promise<number | undefined> {
	const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
	// Behind the name, which may hold anything, stand the state and the parent.
	const parent = /^ \S (\d+) /.exec(stat.slice(stat.lastIndexOf(")") + 1))?.[1];
	return parent === undefined ? undefined : Number(parent);
}

async function readEnvironment(clock: Clock, pid: string): Promise<string> {
	let text = "";
	const read = readFile(`/proc/${pid}/environ`, "latin1").then(
		(content) => {
			text = content;
		},
		// It has ended, or belongs to somebody else.
		() => undefined,
	);
	await settlesInTime(clock, READ_LIMIT_MS, read);
	return text;
}

function markerOf(environment: string): string | undefined {
	const name = `${MARKER_VARIABLE}=`;
	const entry = environment.split("\0").find((line) => line.startsWith(name));
	return entry?.slice(name.length);
}

/** False when it was gone already. */
export function kill(pid: number): boolean {
	try {
		process.kill(pid, "SIGKILL");
		return true;
	} catch {
		return false;
	}
}
