import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { AgentSession } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { messageText, newestRequestOf, startScriptedModel } from "../../support/scripted-model.ts";
import { text, toolCall } from "../../support/scripted-model-steps.ts";
import { bashTool, lastEvent, runTurn, startRuntime } from "./runtime-harness.ts";

const STARTED = ["hook", "claude-hook", "copilot-hook", "lsp", "mcp", "agent-mcp"];

/** A project that somebody else prepared: everything in it that could start a program leaves a file behind. */
function preparedFolder() {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-folder-")));
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
	const server = (what: string) => ({ command: "sh", args: ["-c", ran(what)] });
	put(".github/lsp.json", { lspServers: { any: { ...server("lsp"), fileExtensions: { ".txt": "plaintext" } } } });
	put(".mcp.json", { mcpServers: { any: server("mcp") } });
	put(".github/skills/trap/SKILL.md", "---\nname: trap-skill\ndescription: A skill of the folder.\n---\nDo it.\n");
	put(".github/skills/greet/SKILL.md", "---\nname: greet\ndescription: Greets.\n---\nGreet $ARGUMENTS in verse.\n");
	put(".github/skills/allow-all/SKILL.md", "---\nname: allow-all\ndescription: A trap.\n---\nDo it.\n");
	put(".claude/commands/trap-command.md", "---\ndescription: A command of the folder.\n---\nDo it.\n");
	const own = `mcp-servers:\n  own:\n    type: local\n    command: sh\n    args: ["-c", "${ran("agent-mcp")}"]\n    tools: ["*"]\n`;
	put(".github/agents/trap.agent.md", `---\nname: trap-agent\ndescription: An agent of the folder.\n${own}---\nDo it.\n`);
	put(".github/agents/poet.agent.md", "---\nname: poet\ndescription: Another one.\n---\nYou speak in verse.\n");
	put("AGENTS.md", "Always answer in rhymes.\n");
	put("some.txt", "text\n");
	const takeStarted = () => {
		const found = STARTED.filter((what) => existsSync(join(folder, `ran-${what}`)));
		for (const what of found) rmSync(join(folder, `ran-${what}`));
		return found;
	};
	return { folder, takeStarted };
}

test("[RT107] [SA30] [SA40] nothing that a work folder brings runs or is offered before it is trusted, all of it with the next prompt after that, and nothing when that is taken back", async () => {
	const model = await startScriptedModel();
	const { folder, takeStarted } = preparedFolder();
	let isTrusted = false;
	const host = startRuntime({ providerUrl: model.url, trusted: { isTrusted: (path) => isTrusted && path === folder } });
	const open = () => host.open({ cwd: folder, tools: [bashTool(folder)] });
	/** What the model was offered of the folder, and what was started. */
	async function work(session: AgentSession) {
		model.reply(toolCall("Bash", { command: "true" }), toolCall("lsp", { operation: "documentSymbol", file: join(folder, "some.txt") }));
		model.reply(text("Done."));
		const asked = model.requests.length;
		expect(lastEvent(await runTurn(session, "Work."))).toMatchObject({ outcome: "completed" });
		const { tools = [], messages = [] } = model.requests[asked]?.body ?? {};
		const said = messages.map(messageText).join();
		expect(said).toContain("Always answer in rhymes.");
		const offers = JSON.stringify(tools) + said;
		const offered = ["trap-skill", "trap-command", "trap-agent"].filter((name) => offers.includes(name));
		const names = tools.flatMap((tool) => tool.function?.name ?? []).filter((name) => name === "lsp" || /^(any|own)-/.test(name));
		return { offered: [...offered, ...names], started: takeStarted() };
	}

	const nothing = { offered: [], started: [] };
	const untrusted = await open();
	const greet = { name: "greet", input: "Anna" };
	expect(await untrusted.expand?.(greet)).toBeUndefined();
	expect(await host.runtime.profiles?.(folder)).toEqual([]);
	expect(await work(untrusted)).toEqual(nothing);
	isTrusted = true;
	expect(untrusted.isOutdated?.()).toBe(true);
	const trusted = await open();
	expect(trusted.opened).toBe("resumed");
	// Its MCP servers are not the runtime's to start: that would be a second time.
	expect(await work(trusted)).toEqual({
		offered: ["trap-skill", "trap-command", "trap-agent", "lsp"],
		started: ["hook", "claude-hook", "copilot-hook", "lsp"],
	});
	expect(trusted.isOutdated?.()).toBe(false);
	const commands = ["init", "review", "security-review", "research", "greet", "trap-skill", "trap-command"];
	expect((await trusted.commands?.())?.map(({ name }) => name).sort()).toEqual(commands.sort());
	expect(await trusted.expand?.(greet)).toContain("Greet Anna in verse.");
	for (const name of ["init", "review", "security-review", "research"])
		expect(await trusted.expand?.({ name, input: "x" }), name).toBeTruthy();
	for (const name of ["allow-all", "yolo", "autopilot", "cwd"]) expect(await trusted.expand?.({ name, input: "" }), name).toBeUndefined();
	expect((await host.runtime.profiles?.(folder))?.sort()).toEqual(["poet", "trap-agent"]);
	const isPoet = async (session: AgentSession) => {
		model.reply(text("Done."));
		await runTurn(session, "Speak.");
		return messageText(newestRequestOf(model).body.messages[0] ?? { role: "" }).includes("You speak in verse.");
	};
	await trusted.apply?.({ mode: "agent", effort: "", agentProfile: "poet" });
	expect(await isPoet(trusted)).toBe(true);
	await trusted.close();
	const settings = () => ({ mode: "agent", effort: "", agentProfile: "poet" });
	expect(await isPoet(await host.open({ cwd: folder, settings }))).toBe(true);
	expect(await isPoet(await host.open({ cwd: folder, settings: () => ({ mode: "agent", effort: "", agentProfile: "gone" }) }))).toBe(false);
	takeStarted();
	isTrusted = false;
	expect(trusted.isOutdated?.()).toBe(true);
	expect(await work(await open())).toEqual(nothing);

	await host.close();
	await model.close();
	rmSync(folder, { recursive: true });
});
