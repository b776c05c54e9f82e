import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import { afterEach, expect, test } from "vitest";
import { examineAgents } from "../faults/agent-examiner.ts";
import { FAULTS, faultsOf, WITH_ANY_AGENT } from "../faults/faults.ts";
import { signsOf } from "../faults/named-state.ts";
import { firstDifference } from "../faults/oracle.ts";
import { createPageView } from "../faults/page-view.ts";
import { acpAgentCommand } from "../support/acp-agent/acp-agent.ts";
import { TWO_AT_ONCE } from "../support/acp-agent/sessions.mjs";

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An agent below this process, and a server that is this process or has gone. */
async function agentOf(server: "this" | "gone") {
	const agentHome = mkdtempSync(join(tmpdir(), "rightseat-strays-"));
	folders.push(agentHome);
	const [program, ...args] = acpAgentCommand(`home=${agentHome}`);
	const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
	children.push(child);
	await once(child, "spawn");
	const gone = spawn("true");
	await once(gone, "exit");
	const pid = server === "this" ? process.pid : (gone.pid ?? 0);
	return { world: { server: { pid }, agentHome }, pid: child.pid };
}

test("[FT41] an agent below its server is fine, and one that outlived it is found", async () => {
	expect(examineAgents((await agentOf("this")).world)).toEqual([]);
	const { world, pid } = await agentOf("gone");
	expect(examineAgents(world)).toEqual([`The agent process ${pid} outlived its server.`]);
});

test("[FT41] a session that two agents had open is found", async () => {
	const { world } = await agentOf("this");
	mkdirSync(world.agentHome, { recursive: true });
	writeFileSync(join(world.agentHome, TWO_AT_ONCE), "s-1 12 13\n");
	expect(examineAgents(world)).toEqual(["Two agent processes had one session open: s-1 12 13"]);
});

test("[FT41] a page shows what it asks for until that is settled, and what an agent's state is called is read from the frame", () => {
	const view = createPageView();
	const at = (seq: number) => ({ conversationId: "c", epoch: "e", seq });
	const asked: ServerFrame = {
		type: "copilot:permission_request",
		data: { ...at(2), requestId: "r1", kind: "write", summary: "Write a.txt", expiresAt: "" },
	};
	view.apply({
		type: "copilot:snapshot",
		data: {
			...at(1),
			...{ status: "streaming", messages: [], queue: [], questions: [], permissions: [], commands: [], context: [] },
			turn: { messageId: "a", userMessageId: "u", startedAt: "", parts: [], tools: [] },
		},
	});
	view.apply(asked);
	expect([view.asks, view.permissionIds]).toEqual([["Write a.txt"], ["r1"]]);
	view.apply({ type: "copilot:permission_resolved", data: { ...at(3), requestId: "r1", outcome: "aborted" } });
	expect(view.asks).toEqual([]);
	const limit = { requestId: "b1", used: 110, limit: 100, scope: "conversation" as const, unit: "tokens" as const };
	view.apply({ type: "copilot:budget_request", data: { ...at(4), ...limit } });
	const form = { requestId: "f1", message: "Who?", schema: {}, source: "notes", expiresAt: "" };
	view.apply({ type: "copilot:form_request", data: { ...at(5), ...form } });
	const plan = { requestId: "p1", summary: "Build it", plan: "", actions: [], expiresAt: "" };
	view.apply({ type: "copilot:plan_request", data: { ...at(6), ...plan } });
	expect(view.asks).toEqual(["the plan Build it", "the limit of 100 tokens", "the form Who?"]);
	const capabilities = { resume: true, steer: true, models: true, images: true, sharedShell: true };
	const agents = [{ id: "x", name: "X", kind: "acp" as const, state: "resting" as const, capabilities }];
	expect(signsOf({ type: "app:status", data: { runtime: { state: "ready" }, storage: { state: "ok" }, agents } })).toEqual([
		...["runtime:ready", "storage:ok", "agent:resting"],
	]);
});

test("[FT40] every fault belongs to one pilot, and what is combined with an agent's faults is one of Copilot's world", () => {
	expect([...faultsOf("copilot"), ...faultsOf("acp")]).toHaveLength(FAULTS.length);
	expect(WITH_ANY_AGENT.filter((name) => !faultsOf("copilot").some((fault) => fault.name === name))).toEqual([]);
});

test("[FT41] a page may show a very long text whole or by its beginning, and nothing else", () => {
	const kept = [
		{ whole: "agent: one", beginning: "agent: one" },
		{ whole: "agent: a long text", beginning: "agent: a long" },
	];
	expect(firstDifference(["user: older", "agent: one", "agent: a long text"], kept)).toBeUndefined();
	expect(firstDifference(["agent: a long"], kept)).toBeUndefined();
	expect(firstDifference(["agent: one", "agent: a long t"], kept)).toContain("line 1 of 2");
	expect(firstDifference(["agent: one", "agent: one"], kept)).toContain("line 1 of 2");
});
