import type { SubAgentState } from "@rightseat/protocol/model/sub-agent";
import { cutText } from "@rightseat/protocol/text";
import { type Clock, isoTime } from "../kernel/clock.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { BySubAgent } from "../ports/agent-runtime.ts";

/** Of a sub-agent's name, its model and its error: models and folders choose how long they are. */
const MAX_NAME_CHARS = 200;
const MAX_ERROR_CHARS = 1_000;

/** Whose words these are, where they are a sub-agent's. */
export function bySubAgent({ agentId, parentToolCallId }: BySubAgent): BySubAgent {
	return { ...(agentId === undefined ? {} : { agentId }), ...(parentToolCallId === undefined ? {} : { parentToolCallId }) };
}

/** A sub-agent as it is logged: redacted, bounded, and timed when it begins. */
export function loggedSubAgent(
	{ kind: _, ...agent }: SubAgentState & { kind: "subagent" },
	deps: { redactor: Redactor; clock: Clock },
): SubAgentState {
	const short = (text: string, max: number) => cutText(deps.redactor.text(text), max);
	return {
		...agent,
		name: short(agent.name, MAX_NAME_CHARS),
		...(agent.model === undefined ? {} : { model: short(agent.model, MAX_NAME_CHARS) }),
		...(agent.error === undefined ? {} : { error: short(agent.error, MAX_ERROR_CHARS) }),
		...(agent.state === "started" ? { startedAt: isoTime(deps.clock.now()) } : {}),
	};
}
