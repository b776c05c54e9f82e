import type { SessionEvent } from "@github/copilot-sdk";
import type { Clock } from "../../../core/kernel/clock.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";
import type { SubAgentTasks } from "./background.ts";
import { isAtWork, type Team } from "./team.ts";

const STOP_TIMEOUT_MS = 10_000;

/** Ends single sub-agents of a turn, and with them what we do for them: the runtime does not tell our tools. */
export interface SubAgentStops {
	/** False: that one does not work now. */
	stop(agentId: string): Promise<boolean>;
	/** Does something for a call. The signal aborts when the sub-agent that made the call is stopped. */
	during<T>(toolCallId: string | undefined, work: (stopped: AbortSignal) => Promise<T>): Promise<T>;
	heard(event: SessionEvent): void;
}

export interface SubAgentStopsDeps {
	clock: Clock;
	team(): Team;
	session(): { readonly gone: AbortSignal; readonly tasks?: Pick<SubAgentTasks, "stop"> } | undefined;
	/** Nothing more is heard of the calls of this one. */
	closed(agentId: string): void;
}

export function createSubAgentStops(deps: SubAgentStopsDeps): SubAgentStops {
	const doing = new Set<{ toolCallId: string; controller: AbortController }>();

	return {
		async stop(agentId) {
			const { tasks, gone } = deps.session() ?? {};
			if (tasks === undefined || gone === undefined || !isAtWork(deps.team(), agentId)) return false;
			return withTimeout(tasks.stop(agentId), { clock: deps.clock, ms: STOP_TIMEOUT_MS, late: runtimeErrors.noAnswer, gone });
		},
		async during(toolCallId = "", work) {
			const one = { toolCallId, controller: new AbortController() };
			doing.add(one);
			try {
				return await work(one.controller.signal);
			} finally {
				doing.delete(one);
			}
		},
		heard({ type, data, agentId }) {
			if (type !== "subagent.completed" || data.cancelled !== true || agentId === undefined) return;
			const { calls } = deps.team();
			for (const { toolCallId, controller } of doing) if (calls.get(toolCallId) === agentId) controller.abort();
			deps.closed(agentId);
		},
	};
}
