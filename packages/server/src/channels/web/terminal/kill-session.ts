import { readdirSync, readFileSync } from "node:fs";

/**
 * Signals everything that belongs to a terminal's session. The shell puts each job into a process group of its own, so signalling
 * the shell's group would leave background jobs that ignore hangups behind.
 */
export function killSession(leader: number, signal: "SIGHUP" | "SIGKILL") {
	for (const pid of membersOf(leader)) {
		try {
			process.kill(pid, signal);
		} catch (error) {
			// It ended between the look and the signal.
			if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
		}
	}
}

function membersOf(leader: number): number[] {
	if (process.platform !== "linux") return [-leader];
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(Number)
		.filter((pid) => sessionOf(pid) === leader);
}

function sessionOf(pid: number): number | undefined {
	let stat: string;
	try {
		stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	} catch {
		// Gone meanwhile.
		return undefined;
	}
	// The name in parentheses may hold anything, also spaces and parentheses: count from its end.
	const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return Number(session);
}
