import { beginTurn } from "@rightseat/protocol/fold/turn";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import { expect, test } from "vitest";
import { english } from "../messages/english.ts";
import { MAX_SUB_AGENT_LINES, oneLine, statusText, tailOf, toolSummary } from "./status-text.ts";

test("[TG21] the status has the elapsed time, the notice, the tool and the newest lines", () => {
	const turn: RunningTurn = {
		...{ messageId: "a1", userMessageId: "u1", startedAt: new Date(0).toISOString() },
		parts: [
			{ kind: "text", messageId: "m1", content: "I run the tests." },
			{ kind: "tool", toolCallId: "t1" },
		],
		tools: [{ toolCallId: "t1", toolName: "Bash", arguments: { command: "npm test" }, output: "a\n\nb\n" }],
		notice: { code: "something-new", message: "The model is slow." },
	};
	expect(statusText(english, turn, { now: 3_000 })).toBe("⏳ Working · 3 s\nℹ️ The model is slow.\n▸ Bash: npm test\n\na\nb");
	const answering: RunningTurn = {
		...turn,
		parts: [...turn.parts, { kind: "text", messageId: "m2", content: "All pass." }],
		notice: undefined,
	};
	expect(statusText(english, answering, { now: 3_000 })).toBe("⏳ Working · 3 s\n\nAll pass.");
});

test("[TG21] the newest lines are few and short, and never begin with half a character", () => {
	expect(tailOf("1\n2\n3\n4\n5\n6\n7\n8").split("\n")).toEqual(["3", "4", "5", "6", "7", "8"]);
	const tail = tailOf("😀".repeat(1_000));
	expect(tail.length).toBeLessThanOrEqual(601);
	expect(tail.isWellFormed()).toBe(true);
});

test("[TG21] a tool is told by the argument that a person would look at first", () => {
	expect(toolSummary({ description: "later", command: "git\n  status" })).toBe("git status");
	expect(toolSummary({ count: 3 })).toBe("");
	expect(toolSummary(null)).toBe("");
	expect(oneLine("x".repeat(300), 20)).toHaveLength(20);
});

test("[TG521] the status says how far the agent's to-do list is, and what it does now", () => {
	const turn = beginTurn({ messageId: "m1", userMessageId: "u1", startedAt: new Date(0).toISOString() });
	const item = (id: string, status: "pending" | "in_progress" | "done") => ({ id, title: `Thing ${id}`, status });
	const todos = { items: [item("1", "done"), item("2", "pending"), item("3", "in_progress")], more: 2 };
	expect(statusText(english, turn, { now: 3_000, todos })).toBe("⏳ Working · 3 s\n☑️ 1/5 Thing 3");
	expect(statusText(english, turn, { now: 3_000, todos: { items: [item("1", "done")] } })).toBe("⏳ Working · 3 s");
});

test("[TG535] the status has a line for each sub-agent at work, a few of them, and counts the rest", () => {
	const turn = beginTurn({ messageId: "m1", userMessageId: "u1", startedAt: new Date(0).toISOString() });
	const agent = (name: string, state: "started" | "completed") => ({ agentId: name, toolCallId: "t", name, state, parts: [] });
	const subAgents = [agent("done", "completed"), agent("scout\nleader", "started"), agent("", "started")];
	expect(statusText(english, { ...turn, subAgents }, { now: 3_000 })).toBe(
		"⏳ Working · 3 s\n🤖 scout leader: working\n🤖 Sub-agent: working",
	);
	const many = Array.from({ length: MAX_SUB_AGENT_LINES + 2 }, (_, n) => agent("n".repeat(5_000) + n, "started"));
	const text = statusText(english, { ...turn, subAgents: many }, { now: 3_000 });
	expect(text.split("\n")).toHaveLength(1 + MAX_SUB_AGENT_LINES + 1);
	expect([text.length < 600, text.endsWith("🤖 … and 2 more")]).toEqual([true, true]);
});
