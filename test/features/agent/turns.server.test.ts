import { realpathSync, rmSync } from "node:fs";
import { mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { TurnEvent } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { fileNameFor, writeAttachment } from "../../../packages/server/src/services/attachments/attachment-file.ts";
import { messageText, newestRequestOf, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { createGate, cut, finish, pause, reasoning, text, usage, waitFor } from "../../support/scripted-model-steps.ts";
import { bashTool, lastEvent, ofKind, runTurn, shownText, startRuntime, startTurn } from "./runtime-harness.ts";

const ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
let model: ScriptedModel;
let host: ReturnType<typeof startRuntime>;
let sessions = 0;
const freshId = () => `turns-${++sessions}`;

beforeAll(async () => {
	model = await startScriptedModel({ models: ["scripted-model", "second-model"] });
	host = startRuntime({ providerUrl: model.url, systemPrompt: "Speak like a pilot." });
});
afterAll(async () => {
	await host.close();
	await model.close();
});
afterEach(() => expect(model.unused).toBe(0));

const lastRequest = () => newestRequestOf(model);

test("[RT1] getClient starts the runtime at first use and gives the same client ever after", async () => {
	const [first, second] = await Promise.all([host.runtime.getClient(), host.runtime.getClient()]);
	expect(first).toBe(second);
	expect(await host.runtime.getClient()).toBe(first);
	expect(host.runtime.health()).toMatchObject({ state: "ready", provider: "byok" });
});

test("[RT2] text and reasoning arrive as deltas, then the whole message, usage and one turn-end", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(reasoning("Let me "), reasoning("think."), text("Hello"), pause(5), text(" there"), usage(1200, 7));
	const events = await runTurn(session, "hi");
	expect(ofKind(events, "reasoning-delta").map(({ content }) => content)).toEqual(["Let me ", "think."]);
	expect(ofKind(events, "text-delta").map(({ content }) => content)).toEqual(["Hello", " there"]);
	expect(ofKind(events, "message-end").map(({ content }) => content)).toEqual(["Hello there"]);
	expect(ofKind(events, "usage")).toMatchObject([{ inputTokens: 1200, outputTokens: 7, model: "scripted-model", contextLimit: 128_000 }]);
	expect(ofKind(events, "turn-end")).toEqual([{ kind: "turn-end", outcome: "completed" }]);
	expect(lastEvent(events)?.kind).toBe("turn-end");
});

test("[TI5] a question aside goes to the model in one call without tools, is answered, and leaves nothing in the history", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("It rains."));
	await runTurn(session, "How is the weather?");
	const before = model.requests.length;
	model.reply(text("Weather"));
	expect(await session.askAside?.("Name this conversation.")).toBe("Weather");
	expect(model.requests.length).toBe(before + 1);
	expect(lastRequest().body.tools ?? []).toEqual([]);
	expect(JSON.stringify(lastRequest().body.messages)).toContain("How is the weather?");
	model.reply(text("Yes."));
	await runTurn(session, "And tomorrow?");
	expect(JSON.stringify(lastRequest().body.messages)).not.toContain("Name this conversation");
});

test("[RT3] the session gets model, working directory, appended system message, our tools and not the runtime's shell", async () => {
	const session = await host.open({ sessionId: freshId(), model: "second-model", tools: [bashTool(host.home)] });
	model.reply(text("Yes"));
	await runTurn(session, "hi");
	const { body } = lastRequest();
	const system = messageText(body.messages[0] ?? { role: "" });
	const tools = (body.tools ?? []).map((tool) => tool.function?.name);
	expect(body.model).toBe("second-model");
	expect(system).toContain("Speak like a pilot.");
	expect(system).toContain("You are");
	expect(system).toContain(host.home);
	expect(tools).toContain("Bash");
	expect(tools).toContain("ask_user");
	expect(tools.filter((name) => name?.includes("bash"))).toEqual([]);
});

test("[RT11] an answer cut off for its length is continued and every part is kept", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("One. "), finish("length"));
	model.reply(text("Two. "), finish("length"));
	model.reply(text("Three."));
	const events = await runTurn(session, "long");
	expect(ofKind(events, "message-end").map(({ content }) => content)).toEqual(["One. ", "Two. ", "Three."]);
	expect(ofKind(events, "message-reset")).toEqual([]);
});

test("[RT12] a cut stream is retried, and what it repeats is withdrawn, reasoning too", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(reasoning("Hm."), text("Half an ans"), pause(20), cut());
	model.reply(reasoning("Hm again."), text("A whole answer."));
	const events = await runTurn(session, "go");
	const [reset] = ofKind(events, "message-reset");
	expect(reset).toEqual({
		kind: "message-reset",
		messageId: ofKind(events, "text-delta")[0]?.messageId,
		reasoningId: ofKind(events, "reasoning-delta")[0]?.reasoningId,
	});
	expect(ofKind(events, "notice")).toMatchObject([{ code: "retrying", message: expect.stringContaining("1 of 5") }]);
	expect(shownText(events)).toBe("A whole answer.");
	expect(ofKind(events, "message-end").map(({ content }) => content)).toEqual(["A whole answer."]);
});

test("[RT13] a session that was let go comes back with its history, also when it is opened twice", async () => {
	const sessionId = freshId();
	const first = await host.open({ sessionId });
	model.reply(text("Noted."));
	await runTurn(first, "The word is marzipan.");
	await first.close();
	const second = await host.open({ sessionId });
	const third = await host.open({ sessionId });
	model.reply(text("Marzipan."));
	const events = await runTurn(third, "Which word?");
	expect(shownText(events)).toBe("Marzipan.");
	expect(lastRequest().body.messages.map(messageText).join()).toContain("The word is marzipan.");
	await expect(second.steer({ prompt: "x", displayPrompt: "x" })).rejects.toMatchObject({ code: "not-running" });
});

test("[RT14] a session that never had a prompt is simply created again", async () => {
	const sessionId = freshId();
	await (await host.open({ sessionId })).close();
	const session = await host.open({ sessionId });
	model.reply(text("Hello."));
	expect(shownText(await runTurn(session, "hi"))).toBe("Hello.");
});

test("[RT15] changing the model keeps the history", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("Noted."));
	await runTurn(session, "Remember seven.");
	await session.setModel("second-model");
	model.reply(text("Seven."));
	await runTurn(session, "Which number?");
	expect(lastRequest().body.model).toBe("second-model");
	expect(lastRequest().body.messages.map(messageText).join()).toContain("Remember seven.");
});

test("[RT17] a prompt steered in while text streams is answered within the same turn", async () => {
	const gate = createGate();
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("First."), waitFor(gate));
	model.reply(text("Second."));
	const turn = startTurn(session, "begin");
	await turn.until(({ kind }) => kind === "text-delta");
	await session.steer({ prompt: "And another thing.", displayPrompt: "And another thing." });
	gate.open();
	const events = await turn.done;
	expect(shownText(events)).toBe("First.Second.");
	expect(ofKind(events, "turn-end")).toEqual([{ kind: "turn-end", outcome: "completed" }]);
});

test("[RT20] a working directory that is gone is refused, instead of working somewhere else", async () => {
	const cwd = realpathSync(await mkdtemp(join(tmpdir(), "rightseat-cwd-")));
	const sessionId = freshId();
	const session = await host.open({ sessionId, cwd });
	await session.close();
	rmSync(cwd, { recursive: true });
	await expect(host.open({ sessionId, cwd })).rejects.toMatchObject({ code: "cwd-missing" });
});

test("[RT21] the agent's state lies in a private directory below the home", async () => {
	const mode = (await stat(join(host.home, "agent"))).mode & 0o777;
	expect(mode).toBe(0o700);
});

test("[RT22] deleting a session forgets its history, and unknown ids are fine", async () => {
	const sessionId = freshId();
	model.reply(text("Noted."));
	await runTurn(await host.open({ sessionId }), "Secret plan.");
	await host.runtime.deleteSession(sessionId);
	await host.runtime.deleteSession("never-there");
	model.reply(text("What?"));
	await runTurn(await host.open({ sessionId }), "Which plan?");
	expect(lastRequest().body.messages.map(messageText).join()).not.toContain("Secret plan.");
});

test("[RT23] models come from the provider, and the first one is the default", async () => {
	expect(await host.runtime.listModels()).toEqual({
		state: "listed",
		models: [
			{ id: "scripted-model", name: "scripted-model" },
			{ id: "second-model", name: "second-model" },
		],
		default: "scripted-model",
	});
});

async function upload(name: string, mimeType: string, content: Buffer) {
	const path = await writeAttachment(host.home, { id: freshId(), fileName: fileNameFor(name, mimeType), content });
	return { path, name, mimeType };
}

test("[RT63] attachments are named to the model, and pictures are sent along", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("Seen."));
	const attachments = [
		await upload("note.txt", "text/plain", Buffer.from("one line\n")),
		await upload("a photo without ending", "image/png", Buffer.from(ONE_PIXEL, "base64")),
	];
	for await (const event of session.run({ prompt: "Look.", displayPrompt: "Look.", attachments }, new AbortController().signal))
		expect(event.kind).not.toBe("message-reset");
	const sent = JSON.stringify(lastRequest().body.messages);
	expect(sent).toContain("note.txt");
	expect(sent).toContain("data:image/png;base64,");
	expect(sent).toContain("a photo without ending.png");
});

test("[CX1] [CX4] the words of a small text file go to the model under its own name; what only looks like a picture is named to it as well", async () => {
	const session = await host.open({ sessionId: freshId() });
	model.reply(text("Seen."));
	const attachments = [
		await upload('報告: "Q3" ?.csv', "text/csv", Buffer.from("月,額\n1,200\n")),
		await upload("long.txt", "text/plain", Buffer.from("much ".repeat(5_000))),
		await upload("IMG_1.HEIC", "application/octet-stream", Buffer.from([0, 1, 2])),
	];
	for await (const event of session.run({ prompt: "Look.", displayPrompt: "Look.", attachments }, new AbortController().signal))
		expect(event.kind).not.toBe("message-reset");
	const sent = messageText(lastRequest().body.messages.at(-1) ?? { role: "" });
	expect(sent).toContain('<attachment mimeType="text/csv" name="報告: &quot;Q3&quot; ?.csv">\n月,額\n1,200');
	for (const { path } of attachments) expect(sent).toContain(path);
	expect(sent).not.toContain("much much");
});

test("[CX12] [CX17] [CX21] the real runtime tells what fills its context, compacts in one call, and what a summary and a side question used is told", async () => {
	const late: number[] = [];
	const session = await host.open({ sessionId: freshId(), onLateUsage: ({ inputTokens }) => void late.push(inputTokens) });
	expect(await session.lookAtContext?.()).toBeUndefined();
	model.reply(text("Much. ".repeat(300)), usage(1_000, 5));
	await runTurn(session, "Tell me. ".repeat(200));
	const gate = createGate();
	model.reply(text("one "), waitFor(gate), text("two"), usage(1_200, 7));
	const turn = startTurn(session, "More.");
	await turn.until(({ kind }) => kind === "text-delta");
	const before = await session.lookAtContext?.();
	expect(before).toMatchObject({ limit: 128_000, tokens: expect.any(Number), compactionThreshold: expect.any(Number) });
	expect(before?.categories.map(({ kind }) => kind)).toEqual(["system", "tools", "messages", "free", "buffer"]);
	expect(before?.heaviest?.find(({ role }) => role === "assistant")?.label).toMatch(/^Much\./);
	model.reply(text("It is one."), usage(910, 3));
	model.reply(text("It is two."), usage(920, 3));
	expect(await Promise.all([session.askAside?.("Which?"), session.askAside?.("And now?")])).toEqual(["It is one.", "It is two."]);
	gate.open();
	const events = await turn.done;
	expect(ofKind(events, "usage").map(({ inputTokens }) => inputTokens)).toEqual([1_200]);
	expect(late).toEqual([910, 920]);
	const task = { prompt: "", displayPrompt: "", task: "compact" as const };
	const stop = new AbortController();
	const [held, requests] = [createGate(), model.requests.length];
	model.reply(text("part"), waitFor(held), text("never"));
	const stopped: TurnEvent[] = [];
	for await (const event of session.run(task, stop.signal)) {
		stopped.push(event);
		if (event.kind !== "notice") continue;
		void model.request(requests + 1).then(() => stop.abort());
	}
	held.open();
	expect(stopped.map(({ kind }) => kind)).toEqual(["notice", "turn-end"]);
	expect(lastEvent(stopped)).toEqual({ kind: "turn-end", outcome: "aborted" });
	expect((await session.lookAtContext?.())?.tokens).toBeGreaterThanOrEqual(before?.tokens ?? 0);
	model.reply(text("They spoke of much."), usage(2_000, 50));
	const compacted: TurnEvent[] = [];
	for await (const event of session.run(task, new AbortController().signal)) compacted.push(event);
	expect(compacted).toMatchObject([
		{ kind: "notice", code: "compacting" },
		{ kind: "usage", inputTokens: 2_000, outputTokens: 50, model: "scripted-model", contextLimit: 128_000 },
		{ kind: "notice", code: "compacted", lasting: true, params: { before: expect.any(Number), after: expect.any(Number) } },
		{ kind: "turn-end", outcome: "completed" },
	]);
	expect((await session.lookAtContext?.())?.tokens).toBeLessThan(before?.tokens ?? 0);
	model.reply(text("Yes."));
	await runTurn(session, "Go on.");
	const sent = JSON.stringify(lastRequest().body.messages);
	expect(sent).toContain("They spoke of much.");
	expect(sent).not.toContain("Much. Much.");
	model.reply(text("Short."));
	for await (const event of session.run(task, new AbortController().signal)) expect(event.kind).not.toBe("text-delta");
	const again: TurnEvent[] = [];
	for await (const event of session.run(task, new AbortController().signal)) again.push(event);
	expect(again.slice(1)).toMatchObject([
		{ code: "nothing-to-compact", lasting: true },
		{ kind: "turn-end", outcome: "completed" },
	]);
});
