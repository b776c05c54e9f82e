import { readdirSync, readFileSync } from "node:fs";

/** The shell of a terminal: leader of a session. Its start tells it from a later process with the same number. */
export interface SessionLeader {
	pid: number;
	start: string | undefined;
}

/** How a process is signalled; throws as `process.kill` does. */
export type SignalProcess = (pid: number, signal: "SIGHUP" | "SIGKILL") => void;

export function sessionLeader(pid: number): SessionLeader {
	return { pid, start: statOf(pid)?.start };
}

/**
 * Signals everything that belongs to a terminal's session and returns those that would not take it: processes of another
 * user, after `sudo` or `su`. The shell puts each job into a process group of its own, so signalling the shell's group would
 * leave background jobs that ignore hangups behind. Never throws: one that cannot be signalled must not save the others.
 */
export function killSession(leader: SessionLeader, signal: "SIGHUP" | "SIGKILL", send: SignalProcess): number[] {
	return membersOf(leader).filter((pid) => {
		try {
			send(pid, signal);
			return false;
		} catch (error) {
			// It ended between the look and the signal.
			return !(error instanceof Error && "code" in error && error.code === "ESRCH");
		}
	});
}

function membersOf(leader: SessionLeader): number[] {
	const pids = process.platform === "linux" ? listProcesses() : undefined;
	if (pids === undefined) return [-leader.pid];
	const members = pids.flatMap((pid) => {
		const stat = statOf(pid);
		return stat?.session === leader.pid ? [{ pid, start: stat.start }] : [];
	});
	// The shell has gone and somebody else got its number, and a session of that number: not ours.
	const now = members.find((member) => member.pid === leader.pid);
	return now !== undefined && leader.start !== undefined && now.start !== leader.start ? [] : members.map((member) => member.pid);
}

function listProcesses(): number[] | undefined {
	try {
		return readdirSync("/proc")
			.filter((name) => /^\d+$/.test(name))
			.map(Number);
	} catch (error) {
		// No /proc to look at, as in some containers: the shell's own group is better than nothing.
		if (error instanceof Error) return undefined;
		throw error;
	}
}

function statOf(pid: number): { session: number; start: string } | undefined {
	let stat: string;
	try {
		stat = readFileSync(`/proc/${pid}/stat`, "latin1");
	} catch {
		// Gone meanwhile.
		return undefined;
	}
	// The name in parentheses may hold anything, also spaces and parentheses: count from its end.
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return { session: Number(fields[3]), start: fields[19] ?? "" };
}
