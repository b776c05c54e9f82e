import { readdir, readFile, readlink } from "node:fs/promises";

/** Open files of one process that are looked at; a program with more hardly listens on one of the rest. */
const MAX_FILES = 1_024;
const MAX_PROCESSES = 64;

/** TCP ports on which any of these processes listens, lowest first; a bounded look, off the thread. */
export async function listeningPorts(pids: number[]): Promise<number[]> {
	const sockets = await listeningSockets();
	if (sockets.size === 0) return [];
	const ports = new Set<number>();
	for (const pid of pids.slice(0, MAX_PROCESSES)) {
		for (const link of await openFiles(pid)) {
			const port = sockets.get(link);
			if (port !== undefined) ports.add(port);
		}
	}
	return [...ports].sort((a, b) => a - b);
}

const LISTEN = "0A";

async function listeningSockets(): Promise<Map<string, number>> {
	const sockets = new Map<string, number>();
	for (const path of ["/proc/net/tcp", "/proc/net/tcp6"]) {
		for (const line of (await readLines(path)).slice(1)) {
			// Most lines of a busy machine are connections; only the few others are worth taking apart.
			if (!line.includes(` ${LISTEN} `)) continue;
			const fields = line.trim().split(/\s+/);
			const port = Number.parseInt(fields[1]?.split(":")[1] ?? "", 16);
			if (fields[3] === LISTEN && fields[9] !== undefined && !Number.isNaN(port)) sockets.set(`socket:[${fields[9]}]`, port);
		}
	}
	return sockets;
}

async function openFiles(pid: number): Promise<string[]> {
	// Ended meanwhile, or of another user.
	const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
	return Promise.all(names.slice(0, MAX_FILES).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
}

async function readLines(path: string): Promise<string[]> {
	// No such table on this system.
	return (await readFile(path, "latin1").catch(() => "")).split("\n");
}
