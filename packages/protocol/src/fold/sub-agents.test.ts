import { expect, test } from "vitest";
import type { LogEvent } from "../events/event.ts";
import { MAX_SUB_AGENT_CHARS, MAX_SUB_AGENT_PARTS, MAX_SUB_AGENTS } from "./sub-agents.ts";
import { beginTurn, finishTurn, foldTurn } from "./turn.ts";

const BY = { agentId: "a1", parentToolCallId: "task-1" };
const play = (...events: LogEvent[]) =>
	events.reduce(foldTurn, beginTurn({ messageId: "m", userMessageId: "u", startedAt: "2026-01-01T00:00:00.000Z" }));
const subAgent = (state: "started" | "completed", more: object = {}): LogEvent => ({
	type: "copilot:subagent",
	data: { agentId: "a1", toolCallId: "task-1", name: "helper", state, ...more },
});
const delta = (content: string, by: object = BY, messageId = "s1"): LogEvent => ({
	type: "copilot:delta",
	data: { messageId, content, ...by },
});
const tool = (toolCallId: string, by: object = BY): LogEvent => ({
	type: "copilot:tool_start",
	data: { toolCallId, toolName: "view", arguments: {}, ...by },
});

test("[SA1] a sub-agent's words and calls stand in its own record, and the answer is the agent's", () => {
	const turn = play(
		delta("Mine.", {}, "m1"),
		subAgent("started", { model: "small" }),
		delta("I look"),
		tool("t1"),
		{ type: "copilot:message", data: { messageId: "s1", content: "I look.", ...BY } },
		subAgent("completed", { tokens: 30, durationMs: 69, seq: 7 }),
	);
	expect(turn.parts).toEqual([
		{ kind: "text", messageId: "m1", content: "Mine." },
		{ kind: "tool", toolCallId: "t1" },
	]);
	const parts = [
		{ kind: "text", messageId: "s1", content: "I look." },
		{ kind: "tool", toolCallId: "t1" },
	];
	const record = {
		agentId: "a1",
		toolCallId: "task-1",
		name: "helper",
		state: "completed",
		model: "small",
		tokens: 30,
		durationMs: 69,
		parts,
	};
	expect(turn.subAgents).toEqual([record]);
	const message = finishTurn(turn, { outcome: "completed", createdAt: "2026-01-01T00:00:09.000Z" });
	expect([message.content, message.metadata.subAgents]).toEqual(["Mine.", [record]]);
});

test("[SA1] calls of sub-agents in logs from before they were told of fold as ever", () => {
	expect(play(tool("t1")).subAgents).toBeUndefined();
});

test("[SA2] a withdrawn text of a sub-agent goes, and nobody else's", () => {
	const reset: LogEvent = { type: "copilot:reset", data: { messageId: "s1", ...BY } };
	const turn = play(delta("same id", {}, "s1"), delta("wrong"), reset, delta("right", BY, "s2"));
	expect(turn.parts).toHaveLength(1);
	expect(turn.subAgents?.[0]?.parts).toEqual([{ kind: "text", messageId: "s2", content: "right" }]);
});

test("[SA3] a sub-agent keeps the end of its stream and a turn the newest sub-agents", () => {
	const flood = play(subAgent("started"), delta("x".repeat(MAX_SUB_AGENT_CHARS)), delta("end", BY, "s2")).subAgents?.[0];
	expect(flood?.truncated).toBe(true);
	expect(flood?.parts.map((part) => (part.kind === "text" ? part.content.length : 0))).toEqual([MAX_SUB_AGENT_CHARS - 3, 3]);
	const busy = play(subAgent("started"), ...Array.from({ length: MAX_SUB_AGENT_PARTS + 5 }, (_, n) => tool(`t${n}`))).subAgents?.[0];
	expect([busy?.parts.length, busy?.parts[0], busy?.truncated]).toEqual([MAX_SUB_AGENT_PARTS, { kind: "tool", toolCallId: "t5" }, true]);
	const crowd = play(...Array.from({ length: MAX_SUB_AGENTS + 3 }, (_, n) => subAgent("started", { agentId: `a${n}` }))).subAgents;
	expect([crowd?.length, crowd?.[0]?.agentId]).toEqual([MAX_SUB_AGENTS, "a3"]);
});

test("[SA4] a sub-agent that its turn leaves behind is stopped", () => {
	const message = finishTurn(play(subAgent("started")), { outcome: "interrupted", createdAt: "2026-01-01T00:00:09.000Z" });
	expect(message.metadata.subAgents).toMatchObject([{ state: "completed", cancelled: true }]);
});
