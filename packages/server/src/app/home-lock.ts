import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type HomeLock = { ok: true; release(): void } | { ok: false; pid: number };

/** One server per home directory: two would write one database. A lock whose owner is gone is taken over. */
export function lockHome(home: string): HomeLock {
	const file = join(home, "server.pid");
	for (;;) {
		try {
			writeFileSync(file, `${process.pid} ${startOf(process.pid) ?? ""}`, { flag: "wx", mode: 0o600 });
			return { ok: true, release: () => rmSync(file, { force: true }) };
		} catch (error) {
			if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
		}
		const owner = findHomeOwner(home);
		if (owner !== undefined) return { ok: false, pid: owner };
		rmSync(file, { force: true });
	}
}

/** The process that runs with this home directory, if one does. */
export function findHomeOwner(home: string): number | undefined {
	const [pid = "", start = ""] = readOwner(join(home, "server.pid")).split(" ");
	return isRunning(Number(pid), start) ? Number(pid) : undefined;
}

function readOwner(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		// Its owner released it between the two looks.
		return "";
	}
}

function isRunning(pid: number, start: string): boolean {
	if (!(pid > 0) || pid === process.pid) return false;
	try {
		process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
	// Numbers are used again: after a crash or a restart of the machine the same one may be somebody else.
	const now = startOf(pid);
	return now === undefined || start === "" || now === start;
}

/** When a process began, in ticks since boot, as Linux tells; "gone" for one that is dead but not reaped yet. */
function startOf(pid: number): string | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
			.replace(/^.*\) /s, "")
			.split(" ");
		return fields[0] === "Z" ? "gone" : fields[19];
	} catch {
		return undefined;
	}
}
