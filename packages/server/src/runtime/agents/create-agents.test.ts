import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { AgentRuntime, RuntimeHealth } from "../../core/ports/agent-runtime.ts";
import type { SeenAgent } from "../../core/ports/agents.ts";
import type { Program } from "../../core/ports/programs.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { createAgents } from "./create-agents.ts";
import type { ConfiguredAgent } from "./define-agents.ts";
import { FIND_LIMIT_MS } from "./find-programs.ts";

const CAN_ALL = { resume: true, steer: true, models: true, images: true, sharedShell: true };

/** A runtime whose health a test can change. */
function createRuntime(first: RuntimeHealth): AgentRuntime & { become(health: RuntimeHealth): void; closed(): boolean } {
	let health = first;
	let closed = false;
	const listeners = new Set<(health: RuntimeHealth) => void>();
	return {
		capabilities: () => CAN_ALL,
		listModels: async () => ({ state: "listed", models: [], default: "m" }),
		openSession: () => Promise.reject(new RangeError("opened")),
		deleteSession: async () => undefined,
		health: () => health,
		onHealth(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		wake: () => undefined,
		close: async () => {
			closed = true;
		},
		become(next) {
			health = next;
			for (const listener of listeners) listener(next);
		},
		closed: () => closed,
	};
}

function createBed({ configured = [], wanted }: { configured?: ConfiguredAgent[]; wanted?: () => string } = {}) {
	const clock = createFakeClock();
	const there = new Map<string, string | null>();
	const loads: AgentDefinition[] = [];
	const copilot = createRuntime({ state: "ready", provider: "demo" });
	const acp = createRuntime({ state: "off", provider: "acp" });
	const disk: { dead: boolean; answer(): void } = { dead: false, answer: () => undefined };
	const kept = new Map<string, SeenAgent>();
	const agents = createAgents({
		seen: { find: (id) => kept.get(id), keep: (id, agent) => void kept.set(id, agent) },
		...{ copilot, configured, clock, logger: silentLogger, path: "/bin" },
		...(wanted === undefined ? {} : { wanted }),
		programs: {
			programs(directory, names) {
				const found = names.filter((name) => there.has(name) && directory === "/bin");
				const answer = found.map((name): Program => ({ name, path: `/bin/${name}`, version: there.get(name) ?? null }));
				if (!disk.dead) return Promise.resolve(answer);
				return new Promise((resolve) => {
					disk.answer = () => resolve(answer);
				});
			},
		},
		async load(definition) {
			loads.push(definition);
			return acp;
		},
	});
	const states = () => agents.list().map(({ id, health }) => `${id} ${health.state}`);
	const open = (id: string) =>
		agents.find(id)?.openSession({
			...{ sessionId: "c1", previous: null, model: "", cwd: "/", tools: [], onModeLeft: () => undefined, onLateUsage: () => undefined },
			settings: () => ({ mode: "agent", effort: "" }),
			onTodos: () => undefined,
			form: async () => ({ action: "cancel" }),
			mayGoOn: () => true,
			askPlan: async () => ({ approved: true }),
			ask: async () => ({ answer: "", wasFreeform: false }),
			permit: async () => ({ kind: "approve-once" }),
		});
	return { clock, there, loads, copilot, acp, disk, kept, agents, states, open };
}

test("[AG47] Copilot is first, then the configured agents, then what is found; the rest is known and not offered", async () => {
	const bed = createBed({ configured: [{ id: "mine", command: ["/bin/mine"] }] });
	expect(bed.states()).toEqual(["copilot ready", "mine off"]);
	bed.there.set("opencode", "1.18.33").set("mine", null).set("gemini", null);
	await bed.agents.refresh();
	expect(bed.states()).toEqual(["copilot ready", "mine off", "opencode off", "gemini off"]);
	expect(bed.agents.list()[2]?.health.version).toBe("1.18.33");
	expect([bed.agents.find("kimi") === undefined, bed.agents.find("nobody")]).toEqual([false, undefined]);
});

test("[AG49] an agent that is not there is missing, and the exact command to install is named", async () => {
	const bed = createBed({ configured: [{ id: "mine", name: "My agent", command: ["my-agent"] }], wanted: () => "opencode" });
	bed.there.set("claude", null);
	await bed.agents.refresh();
	const listed = bed.agents.list().map(({ id, health }) => [id, health.state, health.message]);
	expect(listed.slice(1)).toEqual([
		["mine", "missing", "My agent is not installed: there is no program my-agent."],
		[
			"claude",
			"missing",
			"Claude Code is there, but not claude-agent-acp, which drives it from here. Install that with: npm install -g @agentclientprotocol/claude-agent-acp",
		],
		["opencode", "missing", "opencode is not installed: there is no program opencode. Install it with: npm install -g opencode-ai"],
	]);
	await expect(bed.open("kimi")).rejects.toMatchObject({
		code: "agent-missing",
		params: { install: "npm install -g @moonshot-ai/kimi-code" },
	});
	expect(bed.loads).toEqual([]);
});

test("[AG49] an agent that was installed meanwhile is found by the session that needs it", async () => {
	const bed = createBed();
	await expect(bed.open("opencode")).rejects.toMatchObject({ code: "agent-missing" });
	bed.there.set("opencode", null);
	await expect(bed.open("opencode")).rejects.toThrow("opened");
	expect(bed.loads.map(({ id }) => id)).toEqual(["opencode"]);
});

test("[AG45] an agent that was there stays there when a directory does not answer", async () => {
	const bed = createBed();
	bed.there.set("opencode", null);
	await bed.agents.refresh();
	bed.disk.dead = true;
	const looking = bed.agents.refresh();
	await bed.clock.advance(FIND_LIMIT_MS);
	await looking;
	expect(bed.states()).toEqual(["copilot ready", "opencode off"]);
});

test("[AG58] agents that a busy machine finds too late for the list are told of when they are found, unless somebody has looked since", async () => {
	const bed = createBed();
	const told: string[] = [];
	bed.agents.onChange((id) => told.push(id));
	bed.there.set("opencode", null).set("claude", null);
	bed.disk.dead = true;
	const lookTooLong = async () => {
		const looking = bed.agents.refresh();
		await bed.clock.advance(FIND_LIMIT_MS);
		await looking;
		return bed.disk.answer;
	};
	const answer = await lookTooLong();
	expect([bed.states(), told]).toEqual([["copilot ready"], []]);
	answer();
	await bed.clock.advance(0);
	expect([bed.states(), told.toSorted()]).toEqual([
		["copilot ready", "claude missing", "opencode off"],
		["claude", "opencode"],
	]);
	const outdated = await lookTooLong();
	bed.there.delete("opencode");
	bed.disk.dead = false;
	await bed.agents.refresh();
	outdated();
	await bed.clock.advance(0);
	expect(bed.states()).toEqual(["copilot ready", "claude missing"]);
});

test("[AG50] only a session loads what drives it, once; every question before is answered without", async () => {
	const bed = createBed();
	bed.there.set("opencode", null);
	await bed.agents.refresh();
	const agent = bed.agents.find("opencode");
	agent?.wake();
	agent?.health();
	agent?.capabilities();
	await agent?.listModels();
	expect(bed.loads).toEqual([]);
	await expect(bed.open("opencode")).rejects.toThrow("opened");
	await expect(bed.open("opencode")).rejects.toThrow("opened");
	expect(bed.loads).toHaveLength(1);
	await bed.agents.close();
	expect([bed.acp.closed(), bed.copilot.closed()]).toEqual([true, false]);
});

test("[AG51] before an agent was open its models are its own choice and it can what was measured; then it is asked itself", async () => {
	const bed = createBed({ configured: [{ id: "mine", command: ["/bin/mine"] }] });
	bed.there.set("mine", null);
	const mine = bed.agents.find("mine");
	expect(await mine?.listModels()).toMatchObject({ state: "unlisted", models: [], default: "" });
	expect(Object.values(mine?.capabilities() ?? {})).toEqual([false, false, false, false, false]);
	expect(bed.agents.find("codex")?.capabilities()).toMatchObject({ resume: true, steer: true });
	await expect(bed.open("mine")).rejects.toThrow("opened");
	expect(await mine?.listModels()).toMatchObject({ state: "listed", default: "m" });
	expect(mine?.capabilities()).toEqual(CAN_ALL);
});

test("[AG52] the default is what a person chose, or Copilot when that is not there any more", () => {
	let wanted = "codex";
	const { agents } = createBed({ wanted: () => wanted });
	expect([agents.default(), agents.list().map(({ id }) => id)]).toEqual(["codex", ["copilot", "codex"]]);
	wanted = "gone";
	expect(agents.default()).toBe("copilot");
	expect(createBed().agents.default()).toBe("copilot");
});

test("[AG53] whoever listens is told of what changed and of nothing else", async () => {
	const bed = createBed();
	const told: string[] = [];
	const off = bed.agents.onChange((id) => told.push(id));
	// One without a version appears as well, and disappears.
	bed.there.set("opencode", "1").set("gemini", null);
	await bed.agents.refresh();
	expect(told.splice(0)).toEqual(["opencode", "gemini"]);
	bed.there.delete("gemini");
	await bed.agents.refresh();
	expect(told.splice(0)).toEqual(["gemini"]);
	await bed.agents.refresh();
	expect(told).toEqual([]);
	bed.copilot.become({ state: "resting", provider: "demo" });
	await expect(bed.open("opencode")).rejects.toThrow("opened");
	bed.acp.become({ state: "ready", provider: "acp" });
	expect(told).toEqual(["copilot", "opencode"]);
	expect(bed.agents.list()[1]?.health).toMatchObject({ state: "ready", version: "1" });
	off();
	bed.copilot.become({ state: "ready", provider: "demo" });
	expect(told).toHaveLength(2);
});

test("[AG48] an entry takes the place of the known agent with its id and keeps what protects that program, under any id", () => {
	const bed = createBed({
		configured: [
			{ id: "opencode", command: ["/opt/opencode", "acp"], env: { LANG: "C" } },
			{ id: "work", command: ["opencode", "acp"] },
			{ id: "mine", command: ["my-agent"], env: { A: "1" } },
		],
	});
	expect(bed.agents.list().map(({ name }) => name)).toEqual(["GitHub Copilot", "opencode", "opencode", "mine"]);
});

test("[AG48] and its environment reaches whoever starts it", async () => {
	const bed = createBed({ configured: [{ id: "work", name: "Work", command: ["opencode", "acp"], env: { LANG: "C" } }] });
	bed.there.set("opencode", null);
	await expect(bed.open("work")).rejects.toThrow("opened");
	expect(bed.loads[0]).toMatchObject({ id: "work", name: "Work", command: ["opencode", "acp"] });
	expect(Object.keys(bed.loads[0]?.environment({}) ?? {})).toEqual(["OPENCODE_SERVER_PASSWORD", "OPENCODE_PERMISSION", "LANG"]);
});

test("[AG401] before an agent has been open since the start it is as its last session had it: choices and capabilities; then it speaks for itself", async () => {
	const bed = createBed({ configured: [{ id: "mine", command: ["/bin/mine"] }] });
	const mine = () => bed.agents.list().find(({ id }) => id === "mine");
	expect(mine()).toMatchObject({ isUntried: true, capabilities: { images: false } });
	expect(mine()?.choices).toBeUndefined();
	const before = { choices: { modes: [{ id: "agent", name: "Agent" }], efforts: [] }, capabilities: { ...CAN_ALL, steer: false } };
	bed.kept.set("mine", before);
	expect(mine()).toMatchObject({ choices: { ...before.choices, isRemembered: true }, capabilities: before.capabilities });
	expect(mine()).not.toHaveProperty("isUntried");
	bed.there.set("mine", null);
	const now = { modes: [], efforts: [{ id: "high", name: "High" }] };
	bed.acp.choices = () => now;
	await bed.open("mine")?.catch(() => undefined);
	expect(bed.loads.at(-1)?.expected).toEqual(before.capabilities);
	bed.acp.become({ state: "ready", provider: "acp" });
	expect([mine()?.choices, bed.kept.get("mine")]).toEqual([now, { choices: now, capabilities: CAN_ALL }]);
});

test("[AG403] an agent that can nothing of it and was used is not said to be unknown, and a known one never is", async () => {
	const bed = createBed({ configured: [{ id: "mine", command: ["/bin/mine"] }] });
	bed.there.set("opencode", null);
	await bed.agents.refresh();
	expect(bed.agents.list().flatMap(({ id, isUntried }) => (isUntried === true ? [id] : []))).toEqual(["mine"]);
	const nothing = { resume: false, steer: false, models: false, images: false, sharedShell: false };
	bed.kept.set("mine", { choices: { modes: [], efforts: [] }, capabilities: nothing });
	expect(bed.agents.list().some(({ isUntried }) => isUntried)).toBe(false);
});

test("[PG788] agents that are known and not on this machine are named with what installs them, until they are there", async () => {
	const bed = createBed();
	await bed.agents.refresh();
	const names = () => bed.agents.installable().map(({ id }) => id);
	expect(bed.agents.installable()).toContainEqual({ id: "opencode", name: "opencode", installCommand: "npm install -g opencode-ai" });
	expect(names()).not.toContain("goose");
	bed.there.set("opencode", null);
	bed.there.set("claude", null);
	await bed.agents.refresh();
	expect(names().filter((id) => ["opencode", "claude"].includes(id))).toEqual([]);
});
