import type { ProcessEntry, Processes, ProcessTable } from "./processes.ts";

/** A command's processes, wherever they went. */
export interface Target {
	/** The bash of the command: leader of its group and session. */
	pid: number;
	start: string | undefined;
	/** Its cookie. */
	tag: string;
	/** Inode of its output pipe, if known: who holds it belongs to the command. */
	pipe: number | undefined;
	/** When its bash had ended and its result was given, in ticks of the system; from then on only what it left behind runs. */
	settledAt: number | undefined;
	/** Orphans without a cookie that belong to it. */
	orphans: Set<string>;
}

export interface Killed {
	processes: number;
	/** TERM was not enough. */
	forced: boolean;
	/** Some would not go: stuck in the kernel, or not ours to signal. */
	survivors: number[];
}

/** How long processes may take to clean up after TERM. */
export const TERM_GRACE_MS = 1_500;
export const GIVE_UP_MS = 5_000;
const RESCAN_MS = 25;
/** A look takes time: a process that starts another one and ends meanwhile can show neither. The second look shows the other. */
const EMPTY_LOOKS = 2;

/** Living processes of the target. Never this process, its parent or the first one. */
export function membersOf(target: Target, table: ProcessTable): ProcessEntry[] {
	const leader = table.get(target.pid);
	// Once the leader is gone its number may belong to somebody else, and then so do group and session of that number.
	const numberIsOurs = leader === undefined || target.start === undefined || leader.start === target.start;
	const memo = new Map<number, boolean>();
	function belongs(entry: ProcessEntry): boolean {
		const known = memo.get(entry.pid);
		if (known !== undefined) return known;
		memo.set(entry.pid, false);
		const parent = table.get(entry.parent);
		const result =
			entry.tag === target.tag ||
			// One that shows another command's cookie was only being loaded when it was claimed.
			(entry.tag === undefined && target.orphans.has(identityOf(entry))) ||
			(numberIsOurs &&
				entry.tag === undefined &&
				(entry.pid === target.pid || entry.group === target.pid || entry.session === target.pid)) ||
			(parent !== undefined && parent.pid > 1 && parent.pid !== process.pid && belongs(parent));
		memo.set(entry.pid, result);
		return result;
	}
	return [...table.values()].filter((entry) => !entry.zombie && isKillable(entry.pid) && belongs(entry));
}

/** TERM to every member, KILL to what is left after the grace time; looks again until nobody is there. */
export async function killTargets(
	targets: Target[],
	processes: Processes,
	claim: (table: ProcessTable) => void,
	giveUpMs = GIVE_UP_MS,
): Promise<Killed> {
	const signalled = new Set<string>();
	const began = performance.now();
	let forced = false;
	let emptyLooks = 0;
	for (;;) {
		// A look from before the order may not show a command that was only just started: it would be taken for gone, and live on.
		const table = await processes.table(emptyLooks === 0 ? began : performance.now());
		claim(table);
		const members = targets.flatMap((target) => membersOf(target, table));
		const elapsed = performance.now() - began;
		emptyLooks = members.length === 0 ? emptyLooks + 1 : 0;
		if (emptyLooks >= EMPTY_LOOKS || elapsed > TERM_GRACE_MS + giveUpMs)
			return { processes: signalled.size, forced, survivors: members.map((member) => member.pid) };
		if (members.length === 0) continue;
		const force = elapsed >= TERM_GRACE_MS;
		for (const member of members) {
			const identity = identityOf(member);
			if (force) {
				signal(member.pid, "SIGKILL");
				forced = true;
			} else if (!signalled.has(identity)) {
				signal(member.pid, "SIGTERM");
				// A stopped process does not see TERM before it goes on.
				signal(member.pid, "SIGCONT");
			}
			signalled.add(identity);
		}
		await new Promise((resolve) => setTimeout(resolve, RESCAN_MS));
	}
}

export function identityOf(entry: ProcessEntry): string {
	return `${entry.pid}:${entry.start}`;
}

function isKillable(pid: number): boolean {
	return pid > 1 && pid !== process.pid && pid !== process.ppid;
}

function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch (error) {
		// Gone already is what we want; another user's process is reported as a survivor.
		if (!(error instanceof Error)) throw error;
	}
}
