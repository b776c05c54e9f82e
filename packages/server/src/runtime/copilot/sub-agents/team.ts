import type { SessionEvent } from "@github/copilot-sdk";
import { cutText } from "@rightseat/protocol/text";
import type { BySubAgent, TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { type Translation, translate } from "../turn/translate.ts";

/** Sub-agents and calls of theirs that are remembered, the newest. */
export const MAX_MEMBERS = 64;
export const MAX_OWN_CALLS = 1_024;
const MAX_NAME_CHARS = 200;
/** Who all of them work for. */
const THE_AGENT = "";

/** A sub-agent as far as its events told. */
interface Member {
	name: string;
	/** The call that started it. */
	toolCallId: string;
	model?: string;
	/** At work in this turn. */
	isOpen: boolean;
	/** What streams now. */
	said: Translation;
}

/** Who works for the agent of one session. */
export interface Team {
	members: ReadonlyMap<string, Member>;
	/** Who made a call: permission requests do not say. */
	calls: ReadonlyMap<string, string>;
	/** Somebody works on his own: the agent may go on by itself when that one is done. */
	isBackground: boolean;
}

/** Nobody yet. */
export const NO_TEAM: Team = { members: new Map(), calls: new Map(), isBackground: false };

/** The same people, none of them at work. */
export function restingTeam({ members, calls }: Team): Team {
	const resting = [...members].map(([id, member]) => [id, { ...member, isOpen: false, said: { failures: 0 } }] as const);
	return { members: new Map(resting), calls, isBackground: false };
}

interface Step {
	team: Team;
	events: TurnEvent[];
}

/** What an event says of sub-agents, or what they say in it. Tool calls and usage are told by others. */
export function nextTeam(team: Team, event: SessionEvent): Step {
	switch (event.type) {
		case "subagent.started":
			return event.agentId === undefined ? { team, events: [] } : begin(team, event.agentId, event.data);
		case "subagent.completed":
		case "subagent.failed":
			return event.agentId === undefined ? { team, events: [] } : finish(team, event.agentId, endOf(event));
		case "system.notification":
			// One that was woken by a message says nothing else of its end.
			return event.data.kind.type === "agent_idle" ? finish(team, event.data.kind.agentId, { state: "completed" }) : { team, events: [] };
		case "tool.execution_start":
			return { team: noteStart(team, event.agentId, event.data), events: [] };
		case "assistant.tool_call_delta":
			return { team: noteCall(team, event.data.toolCallId, event.agentId ?? THE_AGENT), events: [] };
		default:
			return event.agentId === undefined ? { team, events: [] } : hear(team, event.agentId, event);
	}
}

/** Whether this one works for the agent now, as far as was told. */
export const isAtWork = (team: Team, agentId: string): boolean => team.members.get(agentId)?.isOpen === true;

/** Who made this call, where it was a sub-agent; undefined: nobody said yet, and it may have been one. */
export function callerOf(team: Team, toolCallId: string): { agentId?: string; agentName?: string } | undefined {
	const agentId = team.calls.get(toolCallId);
	if (agentId === undefined) return [...team.members.values()].some(({ isOpen }) => isOpen) ? undefined : {};
	if (agentId === THE_AGENT) return {};
	const name = team.members.get(agentId)?.name ?? "";
	return { agentId, ...(name === "" ? {} : { agentName: cutText(name, MAX_NAME_CHARS) }) };
}

function noteStart(team: Team, agentId = THE_AGENT, { toolCallId, toolName }: { toolCallId: string; toolName: string }): Team {
	const noted = noteCall(team, toolCallId, agentId);
	return agentId === THE_AGENT && toolName === "write_agent" ? { ...noted, isBackground: true } : noted;
}

type Started = Extract<SessionEvent, { type: "subagent.started" }>["data"];

function begin(team: Team, agentId: string, data: Started): Step {
	const { toolCallId, model } = data;
	const name = data.agentDisplayName || data.agentName;
	const member: Member = { name, toolCallId, ...(model === undefined ? {} : { model }), isOpen: true, said: { failures: 0 } };
	const isBackground = team.isBackground || data.executionMode === "background";
	return { team: { ...withMember(team, agentId, member), isBackground }, events: [started(agentId, member)] };
}

const started = (agentId: string, { name, toolCallId, model }: Member): TurnEvent => ({
	kind: "subagent",
	...{ agentId, toolCallId, name, state: "started" },
	...(model === undefined ? {} : { model }),
});

type End = Omit<Extract<TurnEvent, { kind: "subagent" }>, "kind" | "agentId" | "toolCallId" | "name" | "model">;

function endOf({ type, data }: Extract<SessionEvent, { type: "subagent.completed" | "subagent.failed" }>): End {
	const { totalTokens, totalToolCalls, durationMs } = data;
	return {
		state: type === "subagent.failed" ? "failed" : "completed",
		...(totalTokens === undefined ? {} : { tokens: totalTokens }),
		...(totalToolCalls === undefined ? {} : { toolCalls: totalToolCalls }),
		...(durationMs === undefined ? {} : { durationMs }),
		...(type === "subagent.failed" ? { error: data.error } : {}),
		...(type === "subagent.completed" && data.cancelled === true ? { cancelled: true } : {}),
	};
}

/** Those who rest are told of again when the session is let go. */
function finish(team: Team, agentId: string, end: End): Step {
	const member = team.members.get(agentId);
	if (member === undefined || !member.isOpen) return { team, events: [] };
	const { name, toolCallId, model, said } = member;
	const rest = said.message === undefined ? [] : [whole(said.message, { agentId, parentToolCallId: toolCallId })];
	const over: TurnEvent = { kind: "subagent", agentId, toolCallId, name, ...(model === undefined ? {} : { model }), ...end };
	return { team: withMember(team, agentId, { ...member, isOpen: false, said: { failures: 0 } }), events: [...rest, over] };
}

const whole = (open: { id: string; text: string }, by: BySubAgent): TurnEvent => ({
	kind: "message-end",
	messageId: open.id,
	content: open.text,
	...by,
});

function hear(team: Team, agentId: string, event: SessionEvent): Step {
	const known = team.members.get(agentId);
	const isSpeaking =
		event.type === "assistant.turn_start" || event.type === "assistant.message_delta" || event.type === "assistant.message";
	if (known?.isOpen !== true && !isSpeaking) return { team, events: [] };
	const member: Member = known ?? { name: "", toolCallId: parentOf(event), isOpen: false, said: { failures: 0 } };
	const woken = member.isOpen ? [] : [started(agentId, member)];
	const { state: said, events } = translate(member.said, { ...event, agentId: undefined });
	const by = { agentId, parentToolCallId: member.toolCallId };
	const own = events.flatMap((one): TurnEvent[] =>
		one.kind === "text-delta" || one.kind === "message-end" || one.kind === "message-reset" ? [{ ...one, ...by }] : [],
	);
	const next = withMember(team, agentId, { ...member, isOpen: true, said });
	return { team: noteRequests(next, agentId, event), events: [...woken, ...own] };
}

function parentOf(event: SessionEvent): string {
	return "parentToolCallId" in event.data && typeof event.data.parentToolCallId === "string" ? event.data.parentToolCallId : "";
}

/** A permission may be asked for before the call is announced. */
function noteRequests(team: Team, agentId: string, event: SessionEvent): Team {
	if (event.type !== "assistant.message") return team;
	return (event.data.toolRequests ?? []).reduce((noted, { toolCallId }) => noteCall(noted, toolCallId, agentId), team);
}

function noteCall(team: Team, toolCallId: string, agentId: string): Team {
	if (team.calls.get(toolCallId) === agentId) return team;
	return { ...team, calls: newest(team.calls, toolCallId, agentId, MAX_OWN_CALLS) };
}

const withMember = (team: Team, agentId: string, member: Member): Team => ({
	...team,
	members: newest(team.members, agentId, member, MAX_MEMBERS),
});

function newest<V>(map: ReadonlyMap<string, V>, key: string, value: V, max: number): ReadonlyMap<string, V> {
	const next = new Map(map).set(key, value);
	for (const oldest of next.keys()) {
		if (next.size <= max) break;
		next.delete(oldest);
	}
	return next;
}
