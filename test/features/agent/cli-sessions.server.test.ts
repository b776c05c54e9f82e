import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { messageText, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { text } from "../../support/scripted-model-steps.ts";
import { runTurn, shownText, startRuntime } from "./runtime-harness.ts";

let model: ScriptedModel;
/** Stands for the Copilot CLI: the same runtime with a home of its own. */
let there: ReturnType<typeof startRuntime>;
let here: ReturnType<typeof startRuntime>;
const SESSION = "7c9e374d-7e1d-4258-869e-94e5a23b5369";
beforeAll(async () => {
	model = await startScriptedModel();
	there = startRuntime({ providerUrl: model.url });
	here = startRuntime({ providerUrl: model.url, env: { ...process.env, COPILOT_HOME: join(there.home, "agent") } });
});
afterAll(async () => {
	await here?.close();
	await there?.close();
	await model?.close();
});

/** What people and the model said, as the model was told by the last request. */
const told = () =>
	model.requests
		.at(-1)
		?.body.messages.filter(({ role }) => role !== "system")
		.map((message) => messageText(message).split("\n").at(-1));

test("[CS10] a session of the Copilot CLI goes on here with its history while the CLI has it open, and there again with what was said here", async () => {
	const begun = await there.open({ sessionId: SESSION });
	model.reply(text("A heron."));
	await runTurn(begun, "Which bird?");
	const history = () => readFileSync(join(there.home, "agent", "session-state", SESSION, "events.jsonl"), "utf8");
	// It writes down what happened a moment after it said so.
	await vi.waitFor(() => expect(history()).toContain("assistant.turn_end"), { timeout: 20_000 });
	const before = history();

	const listed = { sessionId: SESSION, title: "Which bird?", cwd: there.home, isHeld: true };
	expect(await here.runtime.listSessions?.({ cwd: here.home })).toEqual({ sessions: [expect.objectContaining(listed)] });
	expect(await here.runtime.takeSession?.(SESSION)).toMatchObject({
		messages: [
			{ role: "user", text: "Which bird?" },
			{ role: "assistant", text: "A heron." },
		],
		isCut: false,
	});
	const taken = await here.open({ sessionId: "conversation", previous: SESSION });
	expect([taken.opened, taken.sessionId]).toEqual(["resumed", SESSION]);
	model.reply(text("Grey."));
	expect(shownText(await runTurn(taken, "Which colour?"))).toBe("Grey.");
	expect(told()).toEqual(["Which bird?", "A heron.", "Which colour?"]);
	expect([history().startsWith(before), history().includes("Which colour?")]).toEqual([true, false]);

	await taken.close();
	const over = () => here.runtime.handOver?.({ sessionId: SESSION, newSessionId: "another", cwd: here.home });
	expect(await over()).toMatchObject({ sessionId: "another", isCopy: true });
	const copied = await there.open({ sessionId: "another" });
	model.reply(text("Reeds."));
	await runTurn(copied, "Where?");
	expect([copied.opened, told()]).toEqual(["resumed", ["Which bird?", "A heron.", "Which colour?", "Grey.", "Where?"]]);
});
