import { expect, test } from "vitest";
import { wordsIn } from "../words.ts";
import { describeAsk } from "./asks.ts";
import { createTranscript } from "./transcript.ts";

test("[CL133] the to-do list is one line when it changes, a sub-agent a line when it starts and ends, and a permission request says which one asks", () => {
	const rows: string[] = [];
	const look = { words: wordsIn("en"), paint: (text: string) => text, columns: () => 80 };
	const transcript = createTranscript(look, (more) => void rows.push(...more));
	let seq = 0;
	const of = () => ({ conversationId: "c1", seq: ++seq, epoch: "e1" });
	const todo = (id: string, status: "pending" | "in_progress" | "done") => ({ id, title: `Do ${id}`, status });
	const todos = (...items: ReturnType<typeof todo>[]) => transcript.event({ type: "copilot:todos", data: { ...of(), items } });
	const agent = { agentId: "a1", toolCallId: "t1", name: "explore\u0007" };
	todos(todo("one", "in_progress"), todo("two", "pending"));
	todos(todo("one", "in_progress"), todo("two", "pending"));
	todos(todo("one", "done"), todo("two", "in_progress"));
	transcript.event({ type: "copilot:subagent", data: { ...of(), ...agent, state: "started" } });
	transcript.event({ type: "copilot:subagent", data: { ...of(), ...agent, state: "completed", durationMs: 2_000, tokens: 1_500 } });
	transcript.event({ type: "copilot:subagent", data: { ...of(), ...agent, agentId: "a2", state: "failed", error: "no\nmodel" } });
	todos(todo("one", "done"), todo("two", "done"));
	todos();
	expect(rows).toEqual([
		"☑ 0/2  Do one",
		"☑ 1/2  Do two",
		"↳ explore␇: started",
		"↳ explore␇: done  2.0 s  1,500 tokens",
		"↳ explore␇: failed  no ⏎ model",
		"☑ 2/2",
	]);
	const request = { requestId: "p1", kind: "shell", summary: "Run ls", agentId: "a1", agentName: "explore", expiresAt: "" };
	expect(describeAsk({ kind: "permission", request }, look)[1]).toBe("  The sub-agent explore asks.");
});
