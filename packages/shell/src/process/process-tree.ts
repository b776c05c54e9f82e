import { type Killed, killTargets, membersOf, type Target } from "./kill.ts";
import type { Orphans } from "./orphans.ts";
import type { Processes } from "./processes.ts";

/** All processes of one command, wherever they went. */
export interface ProcessTree {
	/** Kills every one of them; asked again it is the same kill. Never rejects. */
	kill(): Promise<Killed>;
	/** Those that live now, with their command lines. Never as of before it is asked. */
	living(): Promise<{ pid: number; command: string }[]>;
	/** Whether none is left alive; the look may be a few milliseconds old. */
	isGone(): Promise<boolean>;
}

export interface ProcessTreeDeps {
	processes: Processes;
	orphans: Orphans;
	/** How long KILL may take before its survivors are named. */
	giveUpMs?: number | undefined;
}

export function createProcessTree(target: Target, { processes, orphans, giveUpMs }: ProcessTreeDeps): ProcessTree {
	let killing: Promise<Killed> | undefined;
	return {
		kill() {
			killing ??= killTargets([target], processes, (table) => orphans.claim(table), giveUpMs);
			return killing;
		},
		async living() {
			const table = await processes.table(performance.now());
			orphans.claim(table);
			return Promise.all(membersOf(target, table).map(async ({ pid }) => ({ pid, command: await processes.commandLine(pid) })));
		},
		async isGone() {
			return membersOf(target, await processes.table()).length === 0;
		},
	};
}
