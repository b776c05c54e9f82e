import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { messageText, startScriptedModel } from "../../support/scripted-model.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import { bashTool, lastEvent, runTurn, startRuntime } from "./runtime-harness.ts";

/** A project that somebody else prepared: everything in it that could start a program leaves a file behind. */
function preparedFolder() {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-folder-"));
	const ran = (what: string) => `echo ran > ${join(folder, `ran-${what}`)}`;
	const put = (path: string, content: unknown) => {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
	};
	const hooks = (what: string) => {
		const run = [{ type: "command", bash: ran(what) }];
		return { version: 1, hooks: { sessionStart: run, userPromptSubmitted: run, preToolUse: run, postToolUse: run } };
	};
	put(".github/hooks/hooks.json", hooks("hook"));
	put(".claude/settings.json", hooks("claude-hook"));
	put(".github/copilot/settings.json", hooks("copilot-hook"));
	const server = { command: "sh", args: ["-c", ran("server")] };
	put(".github/lsp.json", { lspServers: { any: { ...server, fileExtensions: { ".txt": "plaintext" } } } });
	put(".mcp.json", { mcpServers: { any: server } });
	put(".github/skills/trap/SKILL.md", "---\nname: trap\ndescription: A skill of the folder.\n---\nDo it.\n");
	put(".github/agents/trap.agent.md", "---\nname: trap-agent\ndescription: An agent of the folder.\n---\nDo it.\n");
	put("AGENTS.md", "Always answer in rhymes.\n");
	put("some.txt", "text\n");
	return folder;
}

test("[RT107] nothing that a work folder brings runs or is offered; its instructions are read", async () => {
	const model = await startScriptedModel();
	const host = startRuntime({ providerUrl: model.url });
	const folder = preparedFolder();
	const session = await host.open({ cwd: folder, tools: [bashTool(folder)] });
	model.reply(toolCall("Bash", { command: "true" }), toolCall("lsp", { operation: "documentSymbol", file: join(folder, "some.txt") }));
	model.reply(text("Done."));
	expect(lastEvent(await runTurn(session, "Work."))).toMatchObject({ outcome: "completed" });
	const request = model.requests[0]?.body;
	const offered = request?.tools?.map((tool) => tool.function?.name) ?? [];
	expect(offered).toContain("Bash");
	expect(offered.filter((name) => name === "lsp" || name === "skill" || name?.startsWith("any-"))).toEqual([]);
	expect(JSON.stringify(request?.tools)).not.toContain("trap-agent");
	expect(request?.messages.map(messageText).join()).toContain("Always answer in rhymes.");
	const started = ["hook", "claude-hook", "copilot-hook", "server"].filter((what) => existsSync(join(folder, `ran-${what}`)));
	expect(started).toEqual([]);
	await host.close();
	await model.close();
	rmSync(folder, { recursive: true });
});
