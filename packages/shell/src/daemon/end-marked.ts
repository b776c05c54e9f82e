import { type Killed, killTargets } from "../process/kill.ts";
import { findMark } from "../process/process-mark.ts";
import type { Processes } from "../process/processes.ts";

/** Ends every process whose mark begins so, and all that comes of it: TERM, KILL for what is left, until nobody is there. Never rejects. */
export function endMarked(run: string, processes: Processes): Promise<Killed> {
	const target = { pid: -1, start: undefined, tag: run, pipe: undefined, settledAt: 0, orphans: new Set<string>() };
	return killTargets([target], byMark(run, processes), () => undefined);
}

/** What runs on this machine, with the beginning of a mark as the cookie. */
function byMark(run: string, processes: Processes): Processes {
	return {
		...processes,
		async table(notBefore) {
			const table = await processes.table(notBefore);
			const tagOf = (pid: number) => (findMark(pid)?.startsWith(run) ? run : undefined);
			return new Map([...table].map(([pid, entry]) => [pid, { ...entry, tag: tagOf(pid) }]));
		},
	};
}
