import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeAgentRuntime, type Play } from "../../support/agent-runtime-contract-harness.ts";
import { startScriptedModel } from "../../support/scripted-model.ts";
import { stall, text, toolCall } from "../../support/scripted-model-steps.ts";
import { createScriptedRuntime, type ScriptedTurn } from "../../support/scripted-runtime.ts";
import { startAcp } from "./acp-harness.ts";
import { startRuntime } from "./runtime-harness.ts";

describeAgentRuntime("the Copilot runtime with a scripted model", async () => {
	const model = await startScriptedModel();
	const host = startRuntime({ providerUrl: model.url });
	const said = (...replies: Parameters<typeof model.reply>[]): Play => {
		model.forget();
		for (const steps of replies) model.reply(...steps);
		return { prompt: "Do it." };
	};
	return {
		runtime: host.runtime,
		model: "scripted-model",
		cwd: host.home,
		plays: {
			answer: () => said([text("Answer.")]),
			callTool: () => said([toolCall("Bash", { command: "ls" })], [text("Done.")]),
			ask: () => said([toolCall("ask_user", { question: "Which?", choices: ["this", "that"] })], [text("Thanks.")]),
			goOn: () => said([text("On and on"), stall()], [text("More.")]),
		},
		async close() {
			await host.close();
			await model.close();
		},
	};
});

describeAgentRuntime("the demo pilot", async () => {
	const host = startRuntime();
	return {
		runtime: host.runtime,
		model: "demo-pilot",
		cwd: host.home,
		plays: {
			answer: () => ({ prompt: "qwertz" }),
			callTool: () => ({ prompt: "List the files" }),
			ask: () => ({ prompt: "Ask me a question" }),
			goOn: () => ({ prompt: "Tell me a long story" }),
		},
		close: host.close,
	};
});

describeAgentRuntime("the ACP adapter with the scripted agent", async () => {
	const host = startAcp();
	return {
		runtime: host.runtime,
		model: "",
		cwd: host.home,
		plays: {
			answer: () => ({ prompt: "say Answer." }),
			callTool: () => ({ prompt: 'tool Bash {"command":"ls"}' }),
			ask: () => ({ prompt: "ask Which? | this | that" }),
			goOn: () => ({ prompt: "say On and on\nwait" }),
		},
		close: host.close,
	};
});

describeAgentRuntime("the scripted runtime of the tests", async () => {
	const runtime = createScriptedRuntime();
	const cwd = mkdtempSync(join(tmpdir(), "rightseat-contract-"));
	const driven = (drive: (turn: ScriptedTurn) => Promise<void>): Play => ({
		prompt: "Do it.",
		drive: async () => drive(await runtime.nextTurn()),
	});
	return {
		runtime,
		model: "model-a",
		cwd,
		plays: {
			answer: () =>
				driven(async (turn) => {
					turn.text("Answer.");
					turn.end();
				}),
			callTool: () => driven(callTool),
			ask: () =>
				driven(async (turn) => {
					await turn.options.ask({ question: "Which?", allowFreeform: true }, turn.signal);
					turn.end();
				}),
			goOn: () => driven(async (turn) => turn.text("On and on")),
		},
		async close() {
			await runtime.close();
			rmSync(cwd, { recursive: true, force: true });
		},
	};
});

async function callTool(turn: ScriptedTurn) {
	const [tool] = turn.options.tools;
	const call = { toolCallId: "call-1", toolName: "Bash", arguments: {} };
	turn.emit({ kind: "tool-start", ...call });
	const decision = await turn.options.permit({ kind: "custom-tool", summary: "Run ls", ...call }, turn.signal);
	if (decision.kind === "reject" || tool === undefined) {
		turn.emit({ kind: "tool-end", toolCallId: "call-1", success: false, error: "refused" });
	} else {
		const output = (content: string) => turn.emit({ kind: "tool-output", toolCallId: "call-1", content });
		const { ok, text: result } = await tool.run({}, { toolCallId: "call-1", signal: turn.signal, output });
		turn.emit({ kind: "tool-end", toolCallId: "call-1", success: ok, result });
	}
	turn.end();
}
