import { readFileSync, readlinkSync } from "node:fs";
import { identityOf, type Target } from "./kill.ts";
import type { Native } from "./native.ts";
import type { ProcessEntry, ProcessTable } from "./processes.ts";

/**
 * Processes that left their command in every visible way: new session, no cookie, parent gone. The kernel hands them to this
 * process; here they are given back to the command they came from, and their remains are taken away.
 */
export interface Orphans {
	/** Whether this process has children that it did not start; one small read. */
	any(): boolean;
	claim(table: ProcessTable): void;
	/** Orphans that could not be told apart and whose possible owners have all ended. */
	strays(table: ProcessTable): ProcessEntry[];
}

export function createOrphans(deps: { native: Native; started: ReadonlySet<number>; targets(): Target[] }): Orphans {
	const { native, started, targets } = deps;

	const orphansIn = (table: ProcessTable) => {
		const own = table.get(process.pid);
		// A helper of the runtime, such as a compiler, shares our session; a command's process never does.
		return [...table.values()].filter(
			(entry) => entry.parent === process.pid && !started.has(entry.pid) && own !== undefined && entry.session !== own.session,
		);
	};

	return {
		any() {
			if (!native.subreaper) return false;
			try {
				const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
				return children.split(" ").some((pid) => pid !== "" && !started.has(Number(pid)));
			} catch {
				// The kernel does not offer the list: look properly.
				return true;
			}
		},
		claim(table) {
			if (!native.subreaper) return;
			for (const orphan of orphansIn(table)) {
				if (orphan.zombie) native.reap(orphan.pid);
				else if (orphan.tag === undefined) claimOne(orphan, targets());
			}
		},
		strays(table) {
			if (!native.subreaper || targets().length > 0) return [];
			return orphansIn(table).filter((orphan) => !orphan.zombie);
		},
	};
}

/** Gives the orphan to the command it must have come from; one that could be of several stays without an owner. */
function claimOne(orphan: ProcessEntry, targets: Target[]): void {
	const identity = identityOf(orphan);
	if (targets.some((target) => target.orphans.has(identity))) return;
	const holder = targets.find((target) => target.pipe !== undefined && holdsPipe(orphan.pid, target.pipe));
	const older = targets.filter((target) => Number(target.start) <= Number(orphan.start));
	// A command whose bash still runs, or has just ended, is likelier than one that only left something behind.
	const active = older.filter((target) => !target.settled);
	const owner = holder ?? only(active) ?? (active.length === 0 ? only(older) : undefined);
	owner?.orphans.add(identity);
}

function only<T>(items: T[]): T | undefined {
	return items.length === 1 ? items[0] : undefined;
}

function holdsPipe(pid: number, inode: number): boolean {
	return [1, 2].some((fd) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${fd}`) === `pipe:[${inode}]`;
		} catch {
			return false;
		}
	});
}
