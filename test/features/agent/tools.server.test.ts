import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { AskUser, PermitRequest } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import type { AgentTool } from "../../../packages/server/src/core/ports/agent-tool.ts";
import { lastUserText, newestRequestOf, type ScriptedModel, startScriptedModel, toolTexts } from "../../support/scripted-model.ts";
import { createGate, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { bashTool, lastEvent, manualTool, ofKind, runTurn, shownText, startRuntime, startTurn } from "./runtime-harness.ts";

let model: ScriptedModel;
let host: ReturnType<typeof startRuntime>;
let sessions = 0;
const freshId = () => `tools-${++sessions}`;

beforeAll(async () => {
	model = await startScriptedModel({ models: ["scripted-model", "second-model"] });
	host = startRuntime({ providerUrl: model.url });
});
afterAll(async () => {
	await host.close();
	await model.close();
});
afterEach(() => expect(model.unused).toBe(0));

const lastRequest = () => newestRequestOf(model);

test("[RT4] a tool call is asked for, runs here, streams its output and ends with our own words", async () => {
	const requests: PermitRequest[] = [];
	const session = await host.open({
		sessionId: freshId(),
		tools: [
			{
				...bashTool(host.home),
				run: async (_args, call) => {
					call.output("live\n");
					return { ok: true, text: "PWD=/somewhere password=hunter2" };
				},
			},
		],
		permit: async (request) => {
			requests.push(request);
			return { kind: "approve-once" };
		},
	});
	model.reply(text("I look."), toolCall("Bash", { command: "ls -l" }, "call-1"));
	model.reply(text("Done."));
	const events = await runTurn(session, "look");
	const asked = { kind: "custom-tool", summary: "Run ls -l", toolName: "Bash", toolCallId: "call-1" };
	expect(requests).toEqual([{ ...asked, detail: "ls -l", command: "ls -l" }]);
	expect(events.filter(({ kind }) => kind.startsWith("tool-"))).toEqual([
		{ kind: "tool-start", toolCallId: "call-1", toolName: "Bash", arguments: { command: "ls -l" } },
		{ kind: "tool-output", toolCallId: "call-1", content: "live\n" },
		{ kind: "tool-end", toolCallId: "call-1", success: true, result: "PWD=/somewhere password=hunter2" },
	]);
	expect(shownText(events)).toBe("I look.Done.");
});

test("[RT5] a failed tool is a failure for people and a text for the model", async () => {
	const session = await host.open({
		sessionId: freshId(),
		tools: [{ ...bashTool(host.home), run: async () => ({ ok: false, text: "exit code 3: no such thing" }) }],
	});
	model.reply(toolCall("Bash", { command: "false" }));
	model.reply(text("It failed."));
	const events = await runTurn(session, "try");
	expect(ofKind(events, "tool-end")).toMatchObject([{ success: false, error: "exit code 3: no such thing" }]);
	expect(toolTexts(lastRequest())).toEqual(["exit code 3: no such thing"]);
});

test("[RT6] a tool that throws tells the model why", async () => {
	const session = await host.open({
		sessionId: freshId(),
		tools: [{ ...bashTool(host.home), run: () => Promise.reject(new Error("the disk is on fire")) }],
	});
	model.reply(toolCall("Bash", { command: "x" }));
	model.reply(text("Oh."));
	await runTurn(session, "try");
	expect(toolTexts(lastRequest()).join()).toContain("the disk is on fire");
});

test("[RT7] a refused permission reaches the model with its reason and the turn goes on", async () => {
	const session = await host.open({
		sessionId: freshId(),
		tools: [bashTool(host.home)],
		permit: async () => ({ kind: "reject", feedback: "Not in this directory, please." }),
	});
	model.reply(toolCall("Bash", { command: "touch x" }));
	model.reply(text("Then not."));
	const events = await runTurn(session, "touch");
	expect(toolTexts(lastRequest()).join()).toContain("Not in this directory, please.");
	expect(ofKind(events, "tool-end")).toMatchObject([{ success: false }]);
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "completed" });
});

test("[RT8] approval for the session is not asked for again", async () => {
	let asked = 0;
	const session = await host.open({
		sessionId: freshId(),
		tools: [bashTool(host.home)],
		permit: async () => {
			asked += 1;
			return { kind: "approve-for-session" };
		},
	});
	model.reply(toolCall("Bash", { command: "true" }, "a"));
	model.reply(toolCall("Bash", { command: "echo two" }, "b"));
	model.reply(text("Done."));
	const events = await runTurn(session, "twice");
	expect(ofKind(events, "tool-end").map(({ success }) => success)).toEqual([true, true]);
	expect(asked).toBe(1);
});

test("[RT9] ask_user goes to a person and the answer to the model", async () => {
	const asked: AskUser[] = [];
	const session = await host.open({
		sessionId: freshId(),
		ask: async (question) => {
			asked.push(question);
			return { answer: "blue", wasFreeform: false };
		},
	});
	model.reply(toolCall("ask_user", { question: "Which colour?", choices: ["red", "blue"] }));
	model.reply(text("Blue it is."));
	const events = await runTurn(session, "ask me");
	expect(asked).toEqual([{ question: "Which colour?", choices: ["red", "blue"], allowFreeform: true }]);
	expect(toolTexts(lastRequest())).toEqual(["User selected: blue"]);
	expect(shownText(events)).toBe("Blue it is.");
});

test("[RT10] parallel tool calls run at the same time and both end", async () => {
	const manual = manualTool("Wait");
	const session = await host.open({ sessionId: freshId(), tools: [manual.tool] });
	model.reply(toolCall("Wait", {}, "first"), toolCall("Wait", {}, "second"));
	model.reply(text("Both."));
	const turn = startTurn(session, "both");
	const [one, two] = [await manual.call(0), await manual.call(1)];
	two.answer("2");
	one.answer("1");
	const events = await turn.done;
	expect(
		ofKind(events, "tool-end")
			.map(({ toolCallId }) => toolCallId)
			.sort(),
	).toEqual(["first", "second"]);
});

test("[RT16] a prompt steered in while a tool runs joins the turn", async () => {
	const manual = manualTool("Wait");
	const session = await host.open({ sessionId: freshId(), tools: [manual.tool] });
	model.reply(toolCall("Wait", {}));
	model.reply(text("Changed course."));
	const turn = startTurn(session, "work");
	const call = await manual.call();
	await session.steer({ prompt: "Rather go north.", displayPrompt: "Rather go north." });
	call.answer("worked");
	const events = await turn.done;
	expect(lastUserText(lastRequest())).toContain("Rather go north.");
	expect(shownText(events)).toBe("Changed course.");
	expect(ofKind(events, "turn-end")).toHaveLength(1);
});

const delegate = toolCall("task", { agent_type: "general-purpose", name: "helper", description: "d", prompt: "Look." }, "task-1");
test("[RT108] [SA1] [SA8] a tool that a sub-agent calls runs once and is shown as its own, and so is what it says and who asks", async () => {
	let runs = 0;
	const asked: PermitRequest[] = [];
	const session = await host.open({
		sessionId: freshId(),
		permit: async (request) => {
			asked.push({ ...request, ...(await request.asker?.()) });
			return { kind: "approve-once" };
		},
		tools: [
			{
				...bashTool(host.home),
				run: async () => {
					runs += 1;
					return { ok: true, text: `run ${runs}` };
				},
			},
		],
	});
	model.reply(delegate);
	model.reply(toolCall("Bash", { command: "ls" }, "inner-1"));
	model.reply(toolCall("Bash", { command: "ls" }, "inner-2"));
	model.reply(text("Inner."));
	model.reply(text("Outer."));
	const events = await runTurn(session, "delegate");
	expect(runs).toBe(2);
	const by = { agentId: expect.any(String), parentToolCallId: "task-1" };
	expect(asked.map(({ agentName, toolCallId }) => [agentName, toolCallId])).toEqual([
		["helper", "inner-1"],
		["helper", "inner-2"],
	]);
	expect(ofKind(events, "subagent")).toMatchObject([
		{ toolCallId: "task-1", name: "helper", state: "started", model: "scripted-model" },
		{ toolCallId: "task-1", name: "helper", state: "completed", tokens: 45, toolCalls: 2 },
	]);
	expect(ofKind(events, "text-delta").map(({ content, agentId }) => [content, agentId !== undefined])).toEqual([
		["Inner.", true],
		["Outer.", false],
	]);
	const inOrder = <T extends { toolCallId: string }>(calls: T[]) => calls.sort((a, b) => a.toolCallId.localeCompare(b.toolCallId));
	// The runtime may say that the sub-agent has ended before it says what that one did.
	expect(inOrder(ofKind(events, "tool-start"))).toMatchObject([
		{ toolCallId: "inner-1", ...by },
		{ toolCallId: "inner-2", ...by },
		{ toolCallId: "task-1" },
	]);
	expect(inOrder(ofKind(events, "tool-end"))).toMatchObject([
		{ toolCallId: "inner-1", result: "run 1", ...by },
		{ toolCallId: "inner-2", result: "run 2", ...by },
		{ toolCallId: "task-1" },
	]);
	expect(ofKind(events, "usage")).toHaveLength(5);
});

test("[SA5] a turn with a sub-agent in the background ends when the agent has been woken and has answered", async () => {
	const session = await host.open({ sessionId: freshId() });
	const gate = createGate();
	const inBackground = { agent_type: "general-purpose", name: "helper", description: "d", prompt: "Look.", mode: "background" };
	model.default((request) => {
		if (lastUserText(request).includes("has finished")) return [text("It is done.")];
		if (lastUserText(request).includes("Look.")) return [text("Inner."), waitFor(gate)];
		return toolTexts(request).length === 0 ? [toolCall("task", inBackground, "task-1")] : [text("It works.")];
	});
	const turn = startTurn(session, "delegate");
	await turn.until((event) => event.kind === "message-end" && event.content === "It works.");
	gate.open();
	const events = await turn.done;
	const said = ofKind(events, "message-end").map(({ content, agentId }) => [content, agentId !== undefined]);
	expect(said).toEqual([
		["It works.", false],
		["Inner.", true],
		["It is done.", false],
	]);
	expect(ofKind(events, "subagent").map(({ state }) => state)).toEqual(["started", "completed"]);
});

const ROUNDS = 20;
test(`[RT125] a sub-agent's calls run once each and are shown once in ${ROUNDS} sessions that compete, whatever order the runtime delivers and announces them in`, async () => {
	model.default((request) => {
		const done = toolTexts(request).length;
		if (!lastUserText(request).includes("Look.")) return done === 0 ? [delegate] : [text("Outer.")];
		return done < 2 ? [toolCall("Bash", { command: "ls" }, `inner-${done}`)] : [text("Inner.")];
	});
	const rounds = Array.from({ length: ROUNDS }, async () => {
		const runs: string[] = [];
		const tool: AgentTool = {
			...bashTool(host.home),
			run: async (_args, { toolCallId }) => {
				runs.push(toolCallId);
				return { ok: true, text: `ran ${toolCallId}` };
			},
		};
		const session = await host.open({ sessionId: freshId(), tools: [tool] });
		const events = await runTurn(session, "delegate");
		const ends = ofKind(events, "tool-end").map(({ toolCallId, result, agentId }) => ({ toolCallId, result, own: agentId === undefined }));
		const starts = ofKind(events, "tool-start").map(({ toolCallId }) => toolCallId);
		// The runtime may say that the sub-agent has ended before it says what that one did.
		return { runs, starts: starts.sort(), ends: ends.sort((a, b) => a.toolCallId.localeCompare(b.toolCallId)) };
	});
	const inner = (toolCallId: string) => ({ toolCallId, result: `ran ${toolCallId}`, own: false });
	for (const round of await Promise.all(rounds)) {
		expect(round).toEqual({
			runs: ["inner-0", "inner-1"],
			starts: ["inner-0", "inner-1", "task-1"],
			ends: [inner("inner-0"), inner("inner-1"), { toolCallId: "task-1", result: expect.any(String), own: true }],
		});
	}
});

test("[RT18] a tool result of 90,000 bytes reaches the model whole", async () => {
	const long = "飛".repeat(30_000);
	const session = await host.open({
		sessionId: freshId(),
		tools: [{ ...bashTool(host.home), run: async () => ({ ok: true, text: long }) }],
	});
	model.reply(toolCall("Bash", { command: "cat" }));
	model.reply(text("Long."));
	await runTurn(session, "cat");
	expect(toolTexts(lastRequest())).toEqual([long]);
});

test("[RT19] half a character in a prompt or a tool result does not hang the turn", async () => {
	const session = await host.open({
		sessionId: freshId(),
		tools: [{ ...bashTool(host.home), run: async () => ({ ok: true, text: "bad \ud83d end" }) }],
	});
	model.reply(toolCall("Bash", { command: "cat" }));
	model.reply(text("Read."));
	const events = await runTurn(session, "cut \ud83d here");
	expect(toolTexts(lastRequest())).toEqual(["bad \ufffd end"]);
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "completed" });
});
