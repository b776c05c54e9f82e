import { expect, test } from "vitest";
import { quirksOf } from "../quirks.ts";
import { readAgentInfo } from "./agent-info.ts";
import { choicesOf, decidesAlone, modeFor, modeNow, workFor } from "./modes.ts";
import { modelsOf, readOptions, renewed } from "./options.ts";
import { createProcessSlots } from "./process-slots.ts";

const select = (id: string, category: string, current: string, ...values: string[]) => ({
	...{ id, category, type: "select", currentValue: current },
	options: values.map((value) => ({ value, name: value })),
});
const optionsOf = (...configOptions: object[]) => readOptions({ configOptions });
const CLAUDE = quirksOf({ id: "claude", command: [] });
const CODEX = quirksOf({ id: "mine", command: ["/opt/codex-acp"] });
const ANY = quirksOf({ id: "any", command: ["any"] });

test("[AC50] the mode in which a person is asked is set first; an agent that is in one, or has none, is left alone", () => {
	const ask = (quirks: typeof ANY, current: string, ...values: string[]) =>
		modeFor(optionsOf(select("mode", "mode", current, ...values)), { mode: "agent" }, quirks);
	expect(ask(CLAUDE, "bypassPermissions", "default", "bypassPermissions")).toBe("default");
	expect(ask(CODEX, "agent", "read-only", "agent")).toBe("read-only");
	expect(ask(ANY, "default", "default")).toBeUndefined();
	expect(ask(ANY, "code", "code", "architect")).toBeUndefined();
	expect(modeFor({}, { mode: "plan" }, ANY)).toBeUndefined();
	expect(["bypassPermissions", "yolo", "auto", "acceptEdits", "dontAsk"].every((id) => decidesAlone(id, ANY))).toBe(true);
	expect(["default", "plan", "read-only"].some((id) => decidesAlone(id, ANY))).toBe(false);
	expect([decidesAlone("agent", CODEX), decidesAlone("agent", ANY)]).toEqual([true, false]);
});

test("[AC330] an agent is put into the mode that people chose, back into its own, and never into one that asks nobody", () => {
	const claude = optionsOf(select("mode", "mode", "default", "default", "acceptEdits", "plan", "bypassPermissions"));
	expect(modeFor(claude, { mode: "plan" }, CLAUDE)).toBe("plan");
	expect(modeFor(claude, { mode: "bypassPermissions" }, CLAUDE)).toBeUndefined();
	expect(modeFor(claude, { mode: "nonsense" }, CLAUDE)).toBeUndefined();
	const opencode = (current: string) => optionsOf(select("mode", "mode", current, "build", "plan", "review"));
	const OPENCODE = quirksOf({ id: "opencode", command: [] });
	expect(modeFor(opencode("plan"), { mode: "agent" }, OPENCODE)).toBe("build");
	expect(modeFor(opencode("review"), { mode: "agent" }, OPENCODE)).toBeUndefined();
	const codex = optionsOf(
		select("mode", "mode", "read-only", "read-only", "agent", "agent-full-access"),
		select("collaboration_mode", "collaboration_mode", "default", "default", "plan"),
	);
	expect([modeFor(codex, { mode: "plan" }, CODEX), workFor(codex, { mode: "plan" }, CODEX)]).toEqual([undefined, "plan"]);
	expect(workFor(codex, { mode: "agent" }, CODEX)).toBeUndefined();
});

test("[AC331] people choose among the agent's own way and its other ones, none of which decides by itself, and among its efforts", () => {
	const effort = select("effort", "thought_level", "low", "low", "high");
	const claude = optionsOf(select("mode", "mode", "plan", "default", "acceptEdits", "plan", "dontAsk"), effort);
	const plan = [
		{ id: "agent", name: "Agent" },
		{ id: "plan", name: "plan" },
	];
	const efforts = [
		{ id: "low", name: "low" },
		{ id: "high", name: "high" },
	];
	expect(choicesOf(claude, CLAUDE)).toEqual({ modes: plan, efforts });
	expect(modeNow(claude, CLAUDE)).toBe("plan");
	const codex = select("collaboration_mode", "collaboration_mode", "default", "default", "plan");
	expect(choicesOf(optionsOf(select("mode", "mode", "agent", "read-only", "agent"), codex), CODEX)).toEqual({ modes: plan, efforts: [] });
	expect(choicesOf(optionsOf(select("mode", "mode", "default", "default", "yolo")), ANY)).toEqual({ modes: [], efforts: [] });
	expect(choicesOf({}, ANY)).toEqual({ modes: [], efforts: [] });
});

test("[AC51] an option that another model takes away is gone; one of the older kind stays", () => {
	const before = {
		...readOptions({ modes: { currentModeId: "m", availableModes: [{ id: "m" }] } }),
		...optionsOf(select("e", "thought_level", "a", "a")),
	};
	expect(Object.keys(renewed(before, { configOptions: [select("model", "model", "x", "x")] }))).toEqual(["mode", "model"]);
});

test("[AC51] models and modes are read from options, in groups too, and from the older fields; nonsense is none", () => {
	const grouped = {
		id: "model",
		category: "model",
		type: "select",
		currentValue: "a",
		options: [{ group: "g", options: [{ value: "a", name: "A" }, { value: "b" }] }],
	};
	expect(modelsOf("X", readOptions({ configOptions: [grouped] }).model)).toEqual([
		{ id: "", name: "The model that X takes by itself" },
		{ id: "a", name: "A" },
		{ id: "b", name: "b" },
	]);
	const older = readOptions({
		modes: { currentModeId: "m", availableModes: [{ id: "m" }] },
		models: { currentModelId: "x", availableModels: [{ modelId: "x", name: "X" }] },
	});
	expect(older).toEqual({
		mode: { via: "session/set_mode", id: "modeId", current: "m", values: [{ id: "m", name: "m" }] },
		model: { via: "session/set_model", id: "modelId", current: "x", values: [{ id: "x", name: "X" }] },
	});
	for (const odd of [null, 7, { configOptions: "x" }, { configOptions: [null, { id: 7 }] }, { modes: [] }])
		expect(readOptions(odd)).toEqual({});
});

test("[AC52] only version 1 of the protocol is spoken, and what an agent can is what it announces", () => {
	for (const [raw, said] of [
		[null, "none"],
		[{}, "none"],
		[{ protocolVersion: 2 }, "version 2"],
		[{ protocolVersion: "1" }, "none"],
	] as const)
		expect(readAgentInfo(raw, [])).toContain(said);
	expect(readAgentInfo({ protocolVersion: 1 }, [])).toMatchObject({
		canResume: false,
		canLoad: false,
		hasHttp: false,
		loginCommand: undefined,
	});
	const methods = [{ id: "x", type: "terminal", args: ["--login", "it's"] }];
	expect(readAgentInfo({ protocolVersion: 1, authMethods: methods }, ["agent", "acp"])).toMatchObject({
		loginCommand: "agent acp --login 'it'\\''s'",
	});
	const older = [{ id: "x", _meta: { "terminal-auth": { command: "opencode", args: ["auth", "login"] } } }];
	expect(readAgentInfo({ protocolVersion: 1, authMethods: older }, ["a"])).toMatchObject({ loginCommand: "opencode auth login" });
});

test("[AC53] there are never more processes than the limit: the oldest idle one leaves, and when all are busy one waits", async () => {
	const slots = createProcessSlots(2);
	const left: string[] = [];
	const busy = new Set<string>();
	const holder = (name: string) => ({
		isIdle: () => !busy.has(name),
		async leave() {
			left.push(name);
		},
	});
	const [a, b, c, d] = [holder("a"), holder("b"), holder("c"), holder("d")];
	await slots.take(a);
	await slots.take(b);
	slots.touch(a);
	await slots.take(c);
	expect([left, slots.size]).toEqual([["b"], 2]);
	busy.add("a").add("c");
	let isIn = false;
	const waiting = slots.take(d).then(() => {
		isIn = true;
	});
	await Promise.resolve();
	expect(isIn).toBe(false);
	busy.delete("a");
	slots.idle();
	await waiting;
	expect([left, slots.size]).toEqual([["b", "a"], 2]);
});
