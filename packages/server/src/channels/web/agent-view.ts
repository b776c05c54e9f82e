import type { Agent } from "@rightseat/protocol/http/agents";
import type { RuntimeHealth } from "../../core/ports/agent-runtime.ts";
import type { AgentInfo } from "../../core/ports/agents.ts";

/** An agent as people outside see it. */
export function toAgent({ health, choices, isUntried, ...agent }: AgentInfo): Agent {
	const { message, code, params, version } = health;
	return {
		...agent,
		...(choices === undefined || choices.modes.length === 0 ? {} : { modes: choices.modes }),
		...(choices === undefined || choices.efforts.length === 0 ? {} : { efforts: choices.efforts }),
		...(isUntried === true ? { untried: true } : {}),
		state: STATES[health.state],
		...(message === undefined ? {} : { message }),
		...(code === undefined ? {} : { code }),
		...(params === undefined ? {} : { params }),
		...(version === undefined ? {} : { version }),
	};
}

/** Whether it has not run yet or runs no more makes no difference to people: the next prompt starts it. */
const STATES: Readonly<Record<RuntimeHealth["state"], Agent["state"]>> = {
	off: "idle",
	stopped: "idle",
	starting: "starting",
	ready: "ready",
	restarting: "restarting",
	resting: "resting",
	"login-needed": "login-needed",
	missing: "missing",
};
