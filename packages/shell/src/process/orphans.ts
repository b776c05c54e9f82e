import { readFileSync, readlinkSync } from "node:fs";
import { identityOf, type Target } from "./kill.ts";
import type { Native } from "./native.ts";
import { type ProcessEntry, type ProcessTable, ticksNow } from "./processes.ts";

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
	/** The bash of this command has ended: what appears from now on is hardly its own. */
	settled(target: Target): void;
}

/** Commands that ended lately and may have left an orphan that nobody has looked at yet. */
export const MAX_RECENT = 256;

export function createOrphans(deps: { native: Native; started: ReadonlySet<number>; targets(): Target[]; now?(): number }): Orphans {
	const { native, started, targets, now = ticksNow } = deps;
	/** Decided once, by the time the orphan appeared: who is left later says nothing about whose it was. */
	let decided = new Set<string>();
	let recent: Target[] = [];

	function orphansIn(table: ProcessTable): ProcessEntry[] {
		const own = table.get(process.pid);
		// A helper of the runtime, such as a compiler, shares our session; a command's process never does.
		return [...table.values()].filter(
			(entry) => entry.parent === process.pid && !started.has(entry.pid) && own !== undefined && entry.session !== own.session,
		);
	}

	/** The command that the orphan must have come from; undefined when it could be of several. */
	function ownerOf(orphan: ProcessEntry): Target | undefined {
		const alive = targets();
		const holder = alive.find((target) => target.pipe !== undefined && holdsPipe(orphan.pid, target.pipe));
		if (holder !== undefined) return holder;
		const active = [...new Set([...alive, ...recent])].filter((target) => wasActiveAt(target, Number(orphan.start)));
		// A command whose bash ran then is likelier than one that had only left something behind.
		if (active.length > 0) return only(active);
		const foreign = [...decided].some((identity) => !alive.some((target) => target.orphans.has(identity)));
		return foreign ? undefined : only(alive.filter((target) => Number(target.start) <= Number(orphan.start)));
	}

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
			const seen = new Set<string>();
			for (const orphan of orphansIn(table)) {
				const identity = identityOf(orphan);
				if (orphan.zombie) native.reap(orphan.pid);
				else if (orphan.tag === undefined) {
					if (!decided.has(identity)) ownerOf(orphan)?.orphans.add(identity);
					seen.add(identity);
				}
			}
			decided = seen;
		},
		strays(table) {
			if (!native.subreaper || targets().length > 0) return [];
			return orphansIn(table).filter((orphan) => !orphan.zombie);
		},
		settled(target) {
			if (target.settledAt !== undefined) return;
			target.settledAt = now();
			recent = [...recent, target].slice(-MAX_RECENT);
		},
	};
}

/** What appears in the very tick of an end was looked at before that end, so it counts for the command after it. */
function wasActiveAt(target: Target, ticks: number): boolean {
	return Number(target.start) <= ticks && (target.settledAt === undefined || ticks < target.settledAt);
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
