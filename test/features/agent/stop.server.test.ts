import { tmpdir } from "node:os";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { lastUserText, newestRequestOf, type ScriptedModel, startScriptedModel, toolTexts } from "../../support/scripted-model.ts";
import { createGate, pause, reasoning, stall, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { bashTool, lastEvent, manualTool, ofKind, runTurn, runtimePid, shownText, startRuntime, startTurn } from "./runtime-harness.ts";

let model: ScriptedModel;
let host: ReturnType<typeof startRuntime>;
let sessions = 0;
const freshId = () => `stop-${++sessions}`;

beforeAll(async () => {
	model = await startScriptedModel();
	host = startRuntime({ providerUrl: model.url });
});
afterAll(async () => {
	await host.close();
	await model.close();
});
afterEach(() => expect(model.unused).toBe(0));

const newestRequest = () => newestRequestOf(model);

test("[RT24] stopping in the middle of text keeps what was said, ends once as aborted, and closes the request to the provider", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("Half an "), waitFor(createGate()));
	const turn = startTurn(session, "go");
	await turn.until(({ kind }) => kind === "text-delta");
	turn.stop();
	const events = await turn.done;
	expect(shownText(events)).toBe("Half an ");
	expect(ofKind(events, "turn-end")).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
	expect(await newestRequest().closed).toBe(false);
	model.reply(text("Fresh."));
	expect(shownText(await runTurn(session, "again"))).toBe("Fresh.");
});

test("[RT25] stopping while tools run stops them and settles every open tool", async () => {
	const manual = manualTool("Wait");
	const session = await host.open({ sessionId: freshId(), tools: [manual.tool] });
	model.reply(toolCall("Wait", {}, "a"), toolCall("Wait", {}, "b"));
	const turn = startTurn(session, "go");
	const call = await manual.call(1);
	turn.stop();
	const events = await turn.done;
	expect(call.signal.aborted).toBe(true);
	expect(ofKind(events, "tool-end")).toEqual([
		{ kind: "tool-end", toolCallId: "a", success: false, error: "Stopped." },
		{ kind: "tool-end", toolCallId: "b", success: false, error: "Stopped." },
	]);
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "aborted" });
	call.answer("too late");
	model.reply(text("Next."));
	expect(shownText(await runTurn(session, "next"))).toBe("Next.");
	expect(toolTexts(newestRequest()).join()).toContain("interrupted");
});

test("[RT26] a tool's signal stays quiet after it has returned", async () => {
	const manual = manualTool("Wait");
	const session = await host.open({ sessionId: freshId(), tools: [manual.tool] });
	model.reply(toolCall("Wait", {}));
	model.reply(text("Done."));
	const turn = startTurn(session, "go");
	const call = await manual.call();
	call.answer("in the background now");
	await turn.done;
	expect(call.signal.aborted).toBe(false);
});

test("[RT27] stopping while a question waits ends the turn and takes the question back", async () => {
	let asked: AbortSignal | undefined;
	let arrived: () => void = () => undefined;
	const asking = new Promise<void>((resolve) => {
		arrived = resolve;
	});
	const session = await host.open({
		sessionId: freshId(),
		ask: (_question, signal) => {
			asked = signal;
			arrived();
			return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ answer: "stopped", wasFreeform: true })));
		},
	});
	model.reply(toolCall("ask_user", { question: "Well?" }));
	const turn = startTurn(session, "ask");
	await asking;
	turn.stop();
	const events = await turn.done;
	expect(asked?.aborted).toBe(true);
	expect(ofKind(events, "tool-end")).toMatchObject([{ success: false, error: "Stopped." }]);
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "aborted" });
	model.reply(text("Next."));
	expect(shownText(await runTurn(session, "next"))).toBe("Next.");
});

test("[RT28] stopping while a permission waits ends the turn and takes the request back", async () => {
	const manual = manualTool("Wait");
	let arrived: (signal: AbortSignal) => void = () => undefined;
	const asking = new Promise<AbortSignal>((resolve) => {
		arrived = resolve;
	});
	const session = await host.open({
		sessionId: freshId(),
		tools: [manual.tool],
		permit: (_request, signal) => {
			arrived(signal);
			return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ kind: "reject", feedback: "stopped" })));
		},
	});
	model.reply(toolCall("Wait", {}));
	const turn = startTurn(session, "go");
	const signal = await asking;
	turn.stop();
	expect(lastEvent(await turn.done)).toEqual({ kind: "turn-end", outcome: "aborted" });
	expect(signal.aborted).toBe(true);
});

test("[RT29] a stop before, during and right after sending always ends the turn as aborted, and the next turn is its own", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.default(() => [text("unwanted"), pause(50), stall()]);
	for (const wait of [undefined, 0, 1, 2, 5, 10, 20, 40]) {
		const turn = startTurn(session, "go");
		if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, wait));
		turn.stop();
		const events = await turn.done;
		expect(ofKind(events, "turn-end")).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
	}
	model.default(() => [text("Wanted.")]);
	expect(shownText(await runTurn(session, "last"))).toBe("Wanted.");
});

test("[RT30] a reader that leaves stops the turn", async () => {
	const session = await host.open({ sessionId: freshId() });
	const before = model.requests.length;
	model.reply(reasoning("Hm."), waitFor(createGate()));
	for await (const event of session.run({ prompt: "go", displayPrompt: "go" }, new AbortController().signal)) {
		if (event.kind === "reasoning-delta") break;
	}
	const request = await model.request(before + 1);
	expect(await request.closed).toBe(false);
});

test("[RT31] stopping is over within two seconds even if the runtime is frozen", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("Half"), waitFor(createGate()));
	const turn = startTurn(session, "go");
	await turn.until(({ kind }) => kind === "text-delta");
	const pid = await runtimePid(host.runtime);
	process.kill(pid, "SIGSTOP");
	const stoppedAt = performance.now();
	turn.stop();
	const events = await turn.done;
	const tookMs = performance.now() - stoppedAt;
	process.kill(pid, "SIGCONT");
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "aborted" });
	expect(tookMs).toBeLessThan(2_000);
	model.reply(text("Back."));
	expect(shownText(await runTurn(session, "again"))).toBe("Back.");
});

test("[RT32] closing the runtime in the middle of a turn ends it as interrupted", async () => {
	const other = startRuntime({ providerUrl: model.url });
	const session = await other.open();
	model.reply(text("Half"), waitFor(createGate()));
	const turn = startTurn(session, "go");
	await turn.until(({ kind }) => kind === "text-delta");
	const [events] = await Promise.all([turn.done, other.close()]);
	expect(lastEvent(events)).toMatchObject({ kind: "turn-end", outcome: "interrupted", error: { code: "shutting-down" } });
	expect(other.runtime.health().state).toBe("stopped");
	await expect(other.open({ cwd: tmpdir() })).rejects.toMatchObject({ code: "shutting-down" });
});

test("[RT62] closing a session in the middle of a turn ends that turn", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("Half"), waitFor(createGate()));
	const turn = startTurn(session, "go");
	await turn.until(({ kind }) => kind === "text-delta");
	await session.close();
	expect(lastEvent(await turn.done)).toEqual({ kind: "turn-end", outcome: "aborted" });
	const after = await runTurn(session, "more");
	expect(lastEvent(after)).toMatchObject({ kind: "turn-end", outcome: "error", error: { code: "session-failed" } });
});

test("[SA60] [SA61] one sub-agent is stopped with the command that it runs and the permission that it waits for, and the turn goes on", async () => {
	const manual = manualTool("Wait");
	const asked = createGate();
	const session = await host.open({
		sessionId: freshId(),
		tools: [manual.tool, bashTool(host.home)],
		permit: ({ toolName }, signal) =>
			new Promise((resolve) => {
				if (toolName !== "Bash") return resolve({ kind: "approve-once" });
				signal.addEventListener("abort", () => resolve({ kind: "reject", feedback: "Stopped." }), { once: true });
				asked.open();
			}),
	});
	const task = (name: string) => toolCall("task", { agent_type: "general-purpose", name, description: "d", prompt: `I am ${name}.` }, name);
	model.default((request) => {
		if (lastUserText(request).includes("I am one.")) return [toolCall("Wait", {}, "inner-1")];
		if (lastUserText(request).includes("I am two.")) return [toolCall("Bash", { command: "true" }, "inner-2")];
		return toolTexts(request).length === 0 ? [task("one"), task("two")] : [text("I go on.")];
	});
	const turn = startTurn(session, "delegate");
	const [call] = await Promise.all([manual.call(), asked.opened]);
	const agentOf = (name: string) => ofKind(turn.events, "subagent").find((agent) => agent.name === name)?.agentId ?? "";
	expect(await session.stopAgent?.(agentOf("one"))).toBe(true);
	await turn.until((event) => event.kind === "tool-end" && event.toolCallId === "inner-1");
	expect([call.signal.aborted, await session.stopAgent?.(agentOf("one")), await session.stopAgent?.("nobody")]).toEqual([
		true,
		false,
		false,
	]);
	expect(turn.events.filter(({ kind }) => kind === "turn-end")).toEqual([]);
	expect(await session.stopAgent?.(agentOf("two"))).toBe(true);
	const events = await turn.done;
	expect(ofKind(events, "subagent").filter(({ state }) => state !== "started")).toMatchObject([
		{ name: "one", state: "completed", cancelled: true },
		{ name: "two", state: "completed", cancelled: true },
	]);
	expect([shownText(events), lastEvent(events)]).toEqual(["I go on.", { kind: "turn-end", outcome: "completed" }]);
	expect(await session.stopAgent?.(agentOf("two"))).toBe(false);
});

test("[SA6] a turn whose last sub-agent in the background is stopped ends by itself", async () => {
	const session = await host.open({ sessionId: freshId() });
	const inBackground = { agent_type: "general-purpose", name: "helper", description: "d", prompt: "Look.", mode: "background" };
	model.default((request) => {
		if (lastUserText(request).includes("Look.")) return [text("Inner."), stall()];
		return toolTexts(request).length === 0 ? [toolCall("task", inBackground, "task-1")] : [text("It works.")];
	});
	const turn = startTurn(session, "delegate");
	await turn.until((event) => event.kind === "message-end" && event.content === "It works.");
	const inner = await turn.until((event) => event.kind === "text-delta" && event.content === "Inner.");
	expect(inner.kind === "text-delta" && (await session.stopAgent?.(inner.agentId ?? ""))).toBe(true);
	const events = await turn.done;
	// The session may be idle before the runtime tells of it: readers see one that is left behind as stopped (SA4).
	expect(ofKind(events, "subagent").filter(({ state, cancelled }) => state !== "started" && cancelled !== true)).toEqual([]);
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "completed" });
});
