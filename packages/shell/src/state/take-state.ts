import type { BashProcess } from "../process/launch.ts";
import type { StateRun } from "./state-store.ts";

export interface TakenState {
	/** Background children that bash knows of. */
	jobs: number;
	/** Where the command began. */
	cwd: string;
	/** Where it ended, if that is another directory. */
	cwdAfter: string | null;
	/** What was not as asked. */
	notices: string[];
}

/** What an ended command left in its shell. Never throws: a disk that refuses costs what the command changed, not the news of its end. */
export function takeState(
	bash: BashProcess | undefined,
	{ run, wanted, keep }: { run: StateRun | undefined; wanted: string; keep: boolean },
): TakenState {
	const taken = nothingTaken(wanted);
	const entered = bash?.entered();
	if (entered !== undefined) taken.cwd = entered.directory;
	if (entered !== undefined && entered.trouble !== "")
		taken.notices.push(`${wanted} ${entered.trouble}; the command runs in ${entered.directory}`);
	try {
		const snapshot = bash?.takeSnapshot();
		if (snapshot === "too-large") taken.notices.push("The shell state is larger than 4 MB, so what this command changed is not kept.");
		if (snapshot === undefined || snapshot === "too-large" || !keep) return taken;
		taken.jobs = snapshot.jobs.length;
		if (snapshot.cwd !== taken.cwd) taken.cwdAfter = snapshot.cwd;
		run?.merge(snapshot);
	} catch (error) {
		taken.notices.push(
			`What this command changed in the shell may not be kept: ${error instanceof Error ? error.message : String(error)}.`,
		);
	}
	return taken;
}

/** Of a command that never ran. */
export function nothingTaken(wanted: string): TakenState {
	return { jobs: 0, cwd: wanted, cwdAfter: null, notices: [] };
}
