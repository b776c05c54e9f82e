import { expect, test } from "vitest";
import { quirksOf } from "../quirks.ts";
import { readAgentInfo } from "./agent-info.ts";
import { askModeOf, decidesAlone, modelsOf, readOptions } from "./options.ts";
import { createProcessSlots } from "./process-slots.ts";

test("[AC50] the mode in which a person is asked is set first; an agent that is in one, or has none, is left alone", () => {
	const mode = (current: string, ...values: string[]) =>
		readOptions({
			configOptions: [
				{ id: "mode", category: "mode", type: "select", currentValue: current, options: values.map((value) => ({ value, name: value })) },
			],
		}).mode;
	expect(askModeOf(mode("bypassPermissions", "default", "bypassPermissions"), quirksOf({ id: "claude", command: [] }).askModes)).toBe(
		"default",
	);
	expect(askModeOf(mode("agent", "read-only", "agent"), quirksOf({ id: "mine", command: ["/opt/codex-acp"] }).askModes)).toBe("read-only");
	expect(askModeOf(mode("default", "default"), ["default"])).toBeUndefined();
	expect(askModeOf(mode("code", "code", "architect"), quirksOf({ id: "any", command: ["any"] }).askModes)).toBeUndefined();
	expect(askModeOf(undefined, ["default"])).toBeUndefined();
	expect(["bypassPermissions", "yolo", "auto", "acceptEdits"].every(decidesAlone)).toBe(true);
	expect(["default", "plan", "read-only"].some(decidesAlone)).toBe(false);
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
