import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RuntimeHealth } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import type { CopilotRuntime } from "../../../packages/server/src/runtime/copilot/create-copilot-runtime.ts";
import { messageText, type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";
import { createGate, text, toolCall, waitFor } from "../../support/scripted-model-steps.ts";
import { lastEvent, manualTool, ofKind, runTurn, runtimePid, shownText, startRuntime, startTurn } from "./runtime-harness.ts";

let model: ScriptedModel;
beforeAll(async () => {
	model = await startScriptedModel();
});
afterAll(() => model.close());

const healthy = (runtime: CopilotRuntime, wanted: RuntimeHealth["state"]) =>
	new Promise<RuntimeHealth>((resolve) => {
		const look = () => {
			if (runtime.health().state !== wanted) return;
			unsubscribe();
			resolve(runtime.health());
		};
		const unsubscribe = runtime.onHealth(look);
		look();
	});

test("[RT33] a killed runtime ends its turns within five seconds, comes back by itself, and sessions resume with their history", async () => {
	const host = startRuntime({ providerUrl: model.url });
	const manual = manualTool("Wait");
	const talking = await host.open({ sessionId: "talking" });
	const working = await host.open({ sessionId: "working", tools: [manual.tool] });
	model.reply(text("Noted."));
	await runTurn(talking, "The word is marzipan.");
	model.reply(text("Half an answ"), waitFor(createGate()));
	const first = startTurn(talking, "Talk.");
	await first.until(({ kind }) => kind === "text-delta");
	model.reply(toolCall("Wait", {}, "open-tool"));
	const second = startTurn(working, "Work.");
	const call = await manual.call();

	const killedAt = performance.now();
	process.kill(await runtimePid(host.runtime), "SIGKILL");
	const [talk, work] = await Promise.all([first.done, second.done]);
	expect(performance.now() - killedAt).toBeLessThan(5_000);
	expect(shownText(talk)).toBe("Half an answ");
	expect(ofKind(talk, "turn-end")).toMatchObject([{ outcome: "interrupted", error: { code: "runtime-died", retryable: true } }]);
	expect(work.slice(-2)).toMatchObject([
		{ kind: "tool-end", toolCallId: "open-tool", success: false, error: "The Copilot runtime stopped." },
		{ kind: "turn-end", outcome: "interrupted" },
	]);
	expect(call.signal.aborted).toBe(true);

	model.reply(text("Marzipan."));
	expect(shownText(await runTurn(talking, "Which word?"))).toBe("Marzipan.");
	expect(model.requests.at(-1)?.body.messages.map(messageText).join()).toContain("The word is marzipan.");
	expect(host.runtime.health().state).toBe("ready");
	await host.close();
});

test("[RT34] a frozen runtime is noticed within five seconds and replaced", async () => {
	const host = startRuntime({ providerUrl: model.url });
	const session = await host.open();
	model.reply(text("Half"), waitFor(createGate()));
	const turn = startTurn(session, "go");
	await turn.until(({ kind }) => kind === "text-delta");
	const pid = await runtimePid(host.runtime);
	const frozenAt = performance.now();
	process.kill(pid, "SIGSTOP");
	const events = await turn.done;
	expect(performance.now() - frozenAt).toBeLessThan(5_000);
	expect(lastEvent(events)).toMatchObject({ kind: "turn-end", outcome: "interrupted", error: { code: "runtime-died" } });
	model.reply(text("Back."));
	expect(shownText(await runTurn(session, "again"))).toBe("Back.");
	expect(await runtimePid(host.runtime)).not.toBe(pid);
	await host.close();
});

test("[RT118] a large runtime is replaced while a turn runs on it: that turn ends in peace, and every session goes on with its history", async () => {
	// It becomes large only when the turn runs: on a slow machine it would be replaced before that, with nobody on it.
	let isLarge = false;
	const memory = {
		get replaceAboveBytes() {
			return isLarge ? 1 : Number.POSITIVE_INFINITY;
		},
		...{ endAboveBytes: Number.POSITIVE_INFINITY, lookEveryMs: 20, replaceEveryMs: 1_000 },
	};
	const host = startRuntime({ providerUrl: model.url, memory });
	const [first, second] = [await host.open({ sessionId: "first" }), await host.open({ sessionId: "second" })];
	const pid = await runtimePid(host.runtime);
	model.reply(text("Noted."));
	await runTurn(second, "The word is nougat.");
	const gate = createGate();
	model.reply(text("Half"), waitFor(gate), text(" and half."));
	const running = startTurn(first, "Talk.");
	await running.until(({ kind }) => kind === "text-delta");
	isLarge = true;
	while ((await runtimePid(host.runtime)) === pid) await new Promise((resolve) => setTimeout(resolve, 20));
	isLarge = false;
	expect(() => process.kill(pid, 0)).not.toThrow();
	model.reply(text("Nougat."));
	expect(shownText(await runTurn(second, "Which word?"))).toBe("Nougat.");
	expect(model.requests.at(-1)?.body.messages.map(messageText).join()).toContain("The word is nougat.");
	gate.open();
	expect(shownText(await running.done)).toBe("Half and half.");
	expect(lastEvent(await running.done)).toEqual({ kind: "turn-end", outcome: "completed" });
	model.reply(text("I did."));
	expect(shownText(await runTurn(first, "Did you talk?"))).toBe("I did.");
	expect(model.requests.at(-1)?.body.messages.map(messageText).join()).toContain("Half and half.");
	expect(host.runtime.health().state).toBe("ready");
	await host.close();
});

test("[RT35] a prompt sent while the runtime is being restarted waits for it", async () => {
	const host = startRuntime({ providerUrl: model.url });
	const session = await host.open();
	process.kill(await runtimePid(host.runtime), "SIGKILL");
	await healthy(host.runtime, "restarting");
	model.reply(text("Here."));
	expect(shownText(await runTurn(session, "hello?"))).toBe("Here.");
	await host.close();
});

test.concurrent.each([
	["is missing", (_path: string) => undefined],
	["cannot be executed", (path: string) => writeFileSync(path, "no program", { mode: 0o600 })],
	["ends at once", (path: string) => writeFileSync(path, "#!/bin/sh\nexit 3\n", { mode: 0o700 })],
])("[RT36] a runtime that %s fails with a sentence, rests after five failures, and can be woken", async (_name, prepare) => {
	const directory = mkdtempSync(join(tmpdir(), "rightseat-broken-"));
	const path = join(directory, "copilot");
	prepare(path);
	const host = startRuntime({ providerUrl: model.url, env: { ...process.env, COPILOT_CLI_PATH: path } });
	await expect(host.open()).rejects.toMatchObject({ code: "runtime-start-failed" });
	const resting = await healthy(host.runtime, "resting");
	expect(resting.message).toContain("rests");
	await expect(host.open()).rejects.toMatchObject({ code: "runtime-resting" });
	host.runtime.wake();
	expect(host.runtime.health().state).toBe("restarting");
	await host.close();
	rmSync(directory, { recursive: true });
});

test("[RT37] a runtime that was broken works after it was repaired and woken", async () => {
	const directory = mkdtempSync(join(tmpdir(), "rightseat-repaired-"));
	const path = join(directory, "copilot");
	writeFileSync(path, "#!/bin/sh\nexit 3\n", { mode: 0o700 });
	const host = startRuntime({ providerUrl: model.url, env: { ...process.env, COPILOT_CLI_PATH: path } });
	await expect(host.open()).rejects.toMatchObject({ code: "runtime-start-failed" });
	await healthy(host.runtime, "resting");
	writeFileSync(path, `#!/bin/sh\nexec "${await bundledRuntime()}" "$@"\n`);
	chmodSync(path, 0o700);
	host.runtime.wake();
	await healthy(host.runtime, "ready");
	model.reply(text("Repaired."));
	expect(shownText(await runTurn(await host.open(), "hi"))).toBe("Repaired.");
	await host.close();
	rmSync(directory, { recursive: true });
});

test("[RT38] a token that GitHub does not accept is refused at boot, and is shown nowhere", async () => {
	const host = startRuntime({ githubToken: "ghp_notarealtoken0123456789" });
	const refused: unknown = await host.runtime.start().catch((error: unknown) => error);
	expect(refused).toMatchObject({ code: "runtime-token-refused" });
	expect(String(refused)).not.toContain("ghp_");
	await host.close();
});

test("[RT39] a runtime that cannot be executed leaves no stray rejection that would end the server", async () => {
	const home = mkdtempSync(join(tmpdir(), "rightseat-stray-"));
	const script = fileURLToPath(new URL("./runtime-broken-child.ts", import.meta.url));
	const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, home], { timeout: 30_000 });
	expect(stdout.trim().split("\n")).toEqual([expect.stringContaining("ENOENT"), expect.stringContaining("runtime-start-failed"), "alive"]);
	rmSync(home, { recursive: true });
});

async function bundledRuntime(): Promise<string> {
	const host = startRuntime({ providerUrl: model.url });
	const client = await host.runtime.getClient();
	const path: unknown = Reflect.get(client, "resolvedCliPath");
	await host.close();
	return String(path);
}
