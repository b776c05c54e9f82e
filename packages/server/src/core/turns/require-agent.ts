import { cutText } from "@rightseat/protocol/text";
import { AppError } from "../kernel/errors.ts";
import type { AgentRuntime } from "../ports/agent-runtime.ts";
import type { Agents } from "../ports/agents.ts";

/** The runtime of this agent. Throws `unknown-agent`, which another configuration may mend. */
export function requireAgent(agents: Pick<Agents, "find">, id: string): AgentRuntime {
	const runtime = agents.find(id);
	if (runtime !== undefined) return runtime;
	const agent = cutText(id, 80);
	throw new AppError(
		"unknown-agent",
		`There is no agent “${agent}” here. Add it with RIGHTSEAT_AGENTS, or choose one that GET /api/agents lists.`,
		{
			retryable: true,
			params: { agent },
		},
	);
}
