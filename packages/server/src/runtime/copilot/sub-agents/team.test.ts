import type { SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { callerOf, MAX_MEMBERS, MAX_OWN_CALLS, NO_TEAM, nextTeam, restingTeam, type Team } from "./team.ts";

const sdkEvent = (type: string, data: object, agentId?: string): SessionEvent =>
	JSON.parse(JSON.stringify({ id: "e", parentId: null, timestamp: "", type, data, agentId }));
const started = (agentId: string, more: object = {}) =>
	sdkEvent(
		"subagent.started",
		{ toolCallId: `task-${agentId}`, agentName: "explore", agentDisplayName: `name ${agentId}`, ...more },
		agentId,
	);
const delta = (agentId: string, messageId: string, deltaContent: string) =>
	sdkEvent("assistant.message_delta", { messageId, deltaContent, parentToolCallId: `task-${agentId}` }, agentId);

function play(team: Team, ...events: SessionEvent[]) {
	const told: TurnEvent[] = [];
	for (const event of events) {
		const step = nextTeam(team, event);
		team = step.team;
		told.push(...step.events);
	}
	return { team, told };
}

test("[SA1] two sub-agents at the same time are told apart by id and call, and one within another by its own call", () => {
	const by = (agentId: string) => ({ agentId, parentToolCallId: `task-${agentId}` });
	const { told } = play(
		NO_TEAM,
		...[started("a", { model: "big" }), started("b"), delta("a", "m1", "one"), delta("b", "m2", "two"), delta("a", "m1", " more")],
		sdkEvent("assistant.message", { messageId: "m1", content: "one more" }, "a"),
		sdkEvent("subagent.completed", { toolCallId: "task-a", totalTokens: 30, totalToolCalls: 1, durationMs: 69 }, "a"),
		sdkEvent("subagent.failed", { toolCallId: "task-b", error: "400 Bad Request" }, "b"),
	);
	const told2 = (agentId: string, more: object) => ({
		kind: "subagent",
		agentId,
		toolCallId: `task-${agentId}`,
		name: `name ${agentId}`,
		...more,
	});
	expect(told).toEqual([
		told2("a", { state: "started", model: "big" }),
		told2("b", { state: "started" }),
		{ kind: "text-delta", messageId: "m1", content: "one", ...by("a") },
		{ kind: "text-delta", messageId: "m2", content: "two", ...by("b") },
		{ kind: "text-delta", messageId: "m1", content: " more", ...by("a") },
		{ kind: "message-end", messageId: "m1", content: "one more", ...by("a") },
		told2("a", { state: "completed", model: "big", tokens: 30, toolCalls: 1, durationMs: 69 }),
		{ kind: "message-end", messageId: "m2", content: "two", ...by("b") },
		told2("b", { state: "failed", error: "400 Bad Request" }),
	]);
});

test("[SA2] a retry within a sub-agent withdraws that sub-agent's words only", () => {
	const { told } = play(
		NO_TEAM,
		started("a"),
		started("b"),
		delta("a", "m1", "x"),
		delta("b", "m2", "y"),
		sdkEvent("model.turn_retry", {}, "a"),
	);
	expect(told.filter(({ kind }) => kind === "message-reset")).toEqual([
		{ kind: "message-reset", messageId: "m1", agentId: "a", parentToolCallId: "task-a" },
	]);
});

test("[SA7] a sub-agent of an earlier turn that a message wakes is told of again under its name, and its end too", () => {
	const before = play(
		NO_TEAM,
		started("a", { executionMode: "background" }),
		sdkEvent("subagent.completed", { toolCallId: "task-a" }, "a"),
	);
	const late = play(restingTeam(before.team), sdkEvent("subagent.completed", { toolCallId: "task-a", cancelled: true }, "a"));
	expect(late.told).toEqual([]);
	const { team, told } = play(
		late.team,
		sdkEvent("tool.execution_start", { toolCallId: "w", toolName: "write_agent", arguments: {} }),
		sdkEvent("assistant.turn_start", { turnId: "0" }, "a"),
		sdkEvent("system.notification", { content: "", kind: { type: "agent_idle", agentId: "a", agentType: "explore" } }),
	);
	expect(told).toMatchObject([
		{ kind: "subagent", name: "name a", state: "started" },
		{ kind: "subagent", name: "name a", state: "completed" },
	]);
	expect(team.isBackground).toBe(true);
});

test("[SA8] a call is its sub-agent's before it is announced; who is remembered is bounded", () => {
	const asked = play(
		NO_TEAM,
		started("a"),
		sdkEvent("assistant.message", { messageId: "m", content: "", toolRequests: [{ toolCallId: "c1" }] }, "a"),
	);
	expect(callerOf(asked.team, "c1")).toEqual({ agentId: "a", agentName: "name a" });
	expect([callerOf(NO_TEAM, "other"), callerOf(asked.team, "other")]).toEqual([{}, undefined]);
	const own = sdkEvent("tool.execution_start", { toolCallId: "own", toolName: "view", arguments: {} });
	expect(callerOf(play(asked.team, own).team, "own")).toEqual({});
	const call = (n: number) => sdkEvent("tool.execution_start", { toolCallId: `c${n}`, toolName: "view", arguments: {} }, "a");
	const many = play(
		asked.team,
		...Array.from({ length: 100 }, (_, n) => started(`s${n}`)),
		...Array.from({ length: 1_100 }, (_, n) => call(n)),
	);
	expect([many.team.members.size, many.team.calls.size]).toEqual([MAX_MEMBERS, MAX_OWN_CALLS]);
});
