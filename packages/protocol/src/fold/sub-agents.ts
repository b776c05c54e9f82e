import * as z from "zod/mini";
import type { EventData, LogEvent } from "../events/event.ts";
import { type SubAgent, type SubAgentPart, subAgentStateSchema } from "../model/sub-agent.ts";
import type { RunningTurn } from "../model/turn.ts";
import { cutTextTail } from "../text.ts";

/** Sub-agents that a turn remembers, the newest. */
export const MAX_SUB_AGENTS = 32;
/** Of what one sub-agent says a turn keeps the end; its result stands in the call that started it. */
export const MAX_SUB_AGENT_CHARS = 8_192;
/** Texts and calls of one sub-agent, the newest. */
export const MAX_SUB_AGENT_PARTS = 200;

/** What a sub-agent is and says, apart from the answer; undefined for what the agent itself says, and for everything else. */
export function foldSubAgent(turn: RunningTurn, { type, data }: LogEvent): RunningTurn | undefined {
	switch (type) {
		case "copilot:subagent":
			return onSubAgent(turn, data, (known) => ({ ...known, ...z.parse(subAgentStateSchema, data) }));
		case "copilot:delta":
			return onSubAgent(turn, data, (agent) => setText(agent, data.messageId, (before) => before + data.content));
		case "copilot:message":
			return onSubAgent(turn, data, (agent) => setText(agent, data.messageId, () => data.content));
		case "copilot:reset":
			return onSubAgent(turn, data, (agent) => setText(agent, data.messageId, () => ""));
		default:
			return undefined;
	}
}

/** A call of a sub-agent that was announced stands in its stream as well. */
export function addSubAgentTool(turn: RunningTurn, { toolCallId, agentId }: EventData<"copilot:tool_start">): RunningTurn {
	if (!turn.subAgents?.some((agent) => agent.agentId === agentId)) return turn;
	return onSubAgent(turn, { agentId }, (agent) => bound(agent, [...agent.parts, { kind: "tool", toolCallId }])) ?? turn;
}

/** The turn is over, and so are those that work for it. */
export function endSubAgents(agents: readonly SubAgent[]): SubAgent[] {
	return agents.map((agent) => (agent.state === "started" ? { ...agent, state: "completed", cancelled: true } : agent));
}

/** One that nobody announced is known by what it says. */
function onSubAgent(turn: RunningTurn, by: By, change: (agent: SubAgent) => SubAgent): RunningTurn | undefined {
	const { agentId, parentToolCallId: toolCallId = "" } = by;
	if (agentId === undefined) return undefined;
	const { subAgents = [] } = turn;
	const index = subAgents.findIndex((agent) => agent.agentId === agentId);
	const known = subAgents[index];
	if (known !== undefined) return { ...turn, subAgents: subAgents.with(index, change(known)) };
	const begun = change({ agentId, toolCallId, name: "", state: "started", parts: [] });
	return { ...turn, subAgents: [...subAgents, begun].slice(-MAX_SUB_AGENTS) };
}
interface By {
	agentId?: string | undefined;
	parentToolCallId?: string | undefined;
}

/** Nothing to say is no text. */
function setText(agent: SubAgent, messageId: string, change: (before: string) => string): SubAgent {
	const { parts } = agent;
	const index = parts.findLastIndex((part) => part.kind === "text" && part.messageId === messageId);
	const known = parts[index];
	const text: SubAgentPart = { kind: "text", messageId, content: change(known?.kind === "text" ? known.content : "") };
	return bound(agent, known === undefined ? [...parts, text] : parts.with(index, text));
}

/** The end of it: the beginning gives way. */
function bound(agent: SubAgent, parts: readonly SubAgentPart[]): SubAgent {
	let left = MAX_SUB_AGENT_CHARS;
	let isCut = parts.length > MAX_SUB_AGENT_PARTS;
	const kept = parts
		.slice(-MAX_SUB_AGENT_PARTS)
		.toReversed()
		.flatMap((part): SubAgentPart[] => {
			if (part.kind === "tool") return [part];
			const { length } = part.content;
			const content = length > left ? cutTextTail(part.content, left) : part.content;
			left -= content.length;
			if (length > content.length) isCut = true;
			return content === "" ? [] : [{ ...part, content }];
		});
	return { ...agent, parts: kept.reverse(), ...(isCut ? { truncated: true } : {}) };
}
