import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommandClient } from "@rightseat/shell/client/command-client";
import type { ToShelld } from "@rightseat/shell/daemon/shelld-protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { conversationId } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { AgentTool } from "../../core/ports/agent-tool.ts";
import { createJobRegistry } from "../jobs/job-registry.ts";
import { createBashTool } from "./bash-tool.ts";
import { createShell } from "./create-shell.ts";

const here = conversationId("here");
let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "rightseat-bash-tool-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The tool, and what the shell process was asked to run; nothing of it ever ends. */
function createBed(): { tool: AgentTool; asked: ToShelld[] } {
	const asked: ToShelld[] = [];
	const commands = createCommandClient((message) => {
		asked.push(message);
		return true;
	});
	const registry = createJobRegistry({ home, clock: createFakeClock(), logger: silentLogger, drop: () => undefined });
	const tool = createBashTool({ commands, registry, conversation: here, defaultCwd: home, cwd: () => home, restart: () => undefined });
	return { tool, asked };
}
const call = (signal = new AbortController().signal) => ({ toolCallId: "call", signal, output: () => undefined });

test("[SH12] without a timeout a command has 120 seconds, and one in the background has no end", () => {
	const { tool, asked } = createBed();
	void tool.run({ command: "make" }, call());
	void tool.run({ command: "make", timeout: 5_000 }, call());
	void tool.run({ command: "serve", run_in_background: true }, call());
	expect(asked.map((message) => message.kind === "run" && message.timeoutMs)).toEqual([120_000, 5_000, null]);
	expect(JSON.stringify(tool.parameters)).toContain("default 120000, at most 600000");
	void tool.run({ command: "make", timeout: 900_000 }, call());
	expect(asked.at(-1)).toMatchObject({ timeoutMs: 600_000 });
});

test("[SH108] the agent is advised to prefer specialised tools for reading, searching and editing files", () => {
	expect(createBed().tool.description).toContain("Prefer specialised tools for reading, searching and editing files.");
});

test("[SH107] a command with a NUL character is refused whole: nothing of it reaches the shell, for the agent and for people", async () => {
	const { tool, asked } = createBed();
	expect(await tool.run({ command: "touch a\0; touch b" }, call())).toEqual({ ok: false, text: expect.stringContaining("NUL character") });
	expect(asked).toEqual([]);
	const shell = createShell({ home, logger: silentLogger, secrets: [], shelldPath: join(home, "no-such-shelld.js"), env: {} });
	const shown: string[] = [];
	const { done } = shell.exec({ command: "touch a\0; touch b", defaultCwd: home, onOutput: (text) => shown.push(text) });
	expect(await done).toMatchObject({ exitCode: 126, output: expect.stringContaining("NUL character, so nothing of it was run") });
	expect(shown.join("")).toContain("NUL character");
	await shell.close();
});

test("[SH109] many tools at once that share one signal print no warning", async () => {
	const { tool } = createBed();
	const warnings: string[] = [];
	const listen = (warning: Error) => warnings.push(warning.name);
	process.on("warning", listen);
	const { signal } = new AbortController();
	for (let i = 0; i < 20; i++) void tool.run({ command: "sleep 1" }, call(signal));
	await new Promise((resolve) => setImmediate(resolve));
	process.off("warning", listen);
	expect(warnings).toEqual([]);
});
