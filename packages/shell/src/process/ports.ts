import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** TCP ports on which any of these processes listens, lowest first. */
export function listeningPorts(pids: number[]): number[] {
	const sockets = listeningSockets();
	if (sockets.size === 0) return [];
	const ports = new Set<number>();
	for (const pid of pids) {
		for (const link of openFiles(pid)) {
			const port = sockets.get(link);
			if (port !== undefined) ports.add(port);
		}
	}
	return [...ports].sort((a, b) => a - b);
}

const LISTEN = "0A";

function listeningSockets(): Map<string, number> {
	const sockets = new Map<string, number>();
	for (const path of ["/proc/net/tcp", "/proc/net/tcp6"]) {
		for (const line of readLines(path).slice(1)) {
			const fields = line.trim().split(/\s+/);
			const port = Number.parseInt(fields[1]?.split(":")[1] ?? "", 16);
			if (fields[3] === LISTEN && fields[9] !== undefined && !Number.isNaN(port)) sockets.set(`socket:[${fields[9]}]`, port);
		}
	}
	return sockets;
}

function openFiles(pid: number): string[] {
	try {
		return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkOrNothing(`/proc/${pid}/fd/${fd}`));
	} catch {
		// Ended meanwhile, or of another user.
		return [];
	}
}

function readlinkOrNothing(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return "";
	}
}

function readLines(path: string): string[] {
	try {
		return readFileSync(path, "latin1").split("\n");
	} catch {
		// No such table on this system.
		return [];
	}
}
