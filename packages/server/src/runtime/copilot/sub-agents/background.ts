import type { CopilotSession } from "@github/copilot-sdk";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";

/** How often it is looked whether anybody still works in the background. */
export const LOOK_MS = 1_000;
/** So many looks in a row must find nobody: between the end of one and the agent's going on nobody seems to work. */
const QUIET_LOOKS = 2;

/** The sub-agents of one session, asked of the runtime itself. */
export interface SubAgentTasks {
	/** Nobody works, the agent included. */
	areQuiet(): Promise<boolean>;
	/** False: there is no such one at work. */
	stop(agentId: string): Promise<boolean>;
}

/** After the last one in the background was stopped the runtime never says that the session is idle. */
export function tasksOf({ rpc }: Pick<CopilotSession, "rpc">): SubAgentTasks {
	return {
		async areQuiet() {
			const { tasks } = await rpc.tasks.list();
			if (tasks.some(({ status }) => status === "running")) return false;
			return !(await rpc.metadata.activity()).hasActiveWork;
		},
		stop: async (agentId) => (await rpc.tasks.cancel({ id: agentId })).cancelled,
	};
}

/** Looks, while the agent rests and others work for it, whether all of them rest. */
export interface BackgroundWatch {
	begin(): void;
	end(): void;
}

export function createBackgroundWatch(deps: {
	clock: Clock;
	tasks(): Pick<SubAgentTasks, "areQuiet"> | undefined;
	over(): void;
}): BackgroundWatch {
	let cancel: Cancel = () => undefined;
	let round = 0;

	function lookLater(mine: number, quiet: number) {
		cancel = deps.clock.after(LOOK_MS, () => void look(mine, quiet));
	}
	async function look(mine: number, quiet: number) {
		// A runtime that does not answer is somebody else's to notice.
		const isQuiet =
			(await deps
				.tasks()
				?.areQuiet()
				.catch(() => false)) ?? false;
		if (mine !== round) return;
		if (isQuiet && quiet + 1 >= QUIET_LOOKS) return deps.over();
		lookLater(mine, isQuiet ? quiet + 1 : 0);
	}
	function end() {
		round += 1;
		cancel();
	}
	return {
		begin() {
			end();
			lookLater(round, 0);
		},
		end,
	};
}
