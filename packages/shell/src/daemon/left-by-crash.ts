import type { Target } from "../process/kill.ts";
import { type ProcessTable, startTime } from "../process/processes.ts";

/** Processes of this home whose shell process is gone: a crash left them. `own` is the cookie of this shell process. */
export function leftByCrash(table: ProcessTable, own: string): Target[] {
	const [home] = own.split(".");
	return targetsByTag(table, (tag) => {
		const [itsHome, pid, start] = tag.split(".");
		return itsHome === home && startTime(Number(pid)) !== start;
	});
}

/** A target for each cookie that matches. */
export function targetsByTag(table: ProcessTable, matches: (tag: string) => boolean): Target[] {
	const tags = new Set<string>();
	for (const { tag } of table.values()) if (tag !== undefined && matches(tag)) tags.add(tag);
	return [...tags].map((tag) => ({ pid: -1, start: undefined, tag, pipe: undefined, settledAt: 0, orphans: new Set() }));
}
