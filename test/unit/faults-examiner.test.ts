import { expect, test } from "vitest";
import { FAULTS } from "../faults/faults.ts";
import { NAMED_STATE_MS, type Shown, type Sign, signsOf, unshown } from "../faults/named-state.ts";
import { readOptions } from "../faults/read-options.ts";

const EXPECTED: Shown[] = [{ anyOf: ["error:runtime-died", "runtime:restarting"] }];
const STRUCK_AT = 1_000_000;
const sign = (name: string, afterMs: number): Sign => ({ at: STRUCK_AT + afterMs, name });

test("[FT8] a name that was shown in time is no finding", () => {
	expect(unshown(EXPECTED, [sign("idle:completed", -10), sign("runtime:restarting", NAMED_STATE_MS)], STRUCK_AT)).toEqual([]);
	expect(unshown([], [], STRUCK_AT)).toEqual([]);
});

test.each([
	{ mutant: "a server that says nothing", signs: [], finding: /shown never, not within 5000 ms. Seen: nothing/ },
	{ mutant: "a server that says it too late", signs: [sign("error:runtime-died", NAMED_STATE_MS + 1)], finding: /only after 5001 ms/ },
	{ mutant: "a server that says something else", signs: [sign("error:internal", 20)], finding: /never.*Seen: error:internal after 20 ms/ },
	{ mutant: "a sign that is older than the fault", signs: [sign("error:runtime-died", -1)], finding: /shown never/ },
])("[FT8] the examiner notices $mutant", ({ signs, finding }) => {
	expect(unshown(EXPECTED, signs, STRUCK_AT)).toEqual([expect.stringMatching(finding)]);
});

test("[FT8] every expected name has its own time", () => {
	const expected: Shown[] = [{ anyOf: ["notice:retrying"] }, { anyOf: ["error:provider-error"], withinMs: 45_000 }];
	const signs = [sign("error:provider-error", 15_000), sign("notice:retrying", 300)];
	expect(unshown(expected, signs, STRUCK_AT)).toEqual([]);
	expect(unshown(expected, signs.slice(0, 1), STRUCK_AT)).toHaveLength(1);
});

test("[FT8] the names are read from what the server really sends", () => {
	const at = { conversationId: "c", epoch: "e", seq: 1 };
	expect(signsOf({ type: "copilot:error", data: { ...at, code: "runtime-died", message: "" } })).toEqual(["error:runtime-died"]);
	expect(signsOf({ type: "copilot:nack", data: { code: "storage-read-only", message: "", retryable: true } })).toEqual([
		"nack:storage-read-only",
	]);
	const budget = { requestId: "b", used: 110, limit: 100, scope: "conversation" as const, unit: "tokens" as const };
	expect(signsOf({ type: "copilot:budget_request", data: { ...at, ...budget } })).toEqual(["budget"]);
	expect(signsOf({ type: "copilot:tool_end", data: { ...at, toolCallId: "t", success: false } })).toEqual(["tool-failed"]);
	expect(signsOf({ type: "copilot:tool_end", data: { ...at, toolCallId: "t", success: true } })).toEqual([]);
	const recovery = { kind: "restored", message: "", movedTo: [] };
	expect(signsOf({ type: "app:status", data: { runtime: { state: "resting" }, storage: { state: "ok", recovery } } })).toEqual([
		"runtime:resting",
		"storage:ok",
		"storage:restored",
	]);
});

test("[FT9] options are read, and what is not understood is refused with a sentence", () => {
	expect(readOptions(["--rounds", "3", "--seed", "9", "--only", "flood,kill-server"])).toMatchObject({
		...{ rounds: 3, seed: 9, only: ["flood", "kill-server"] },
		...{ docs: false, list: false, help: false, browser: true },
	});
	expect(() => readOptions(["--rounds", "many"])).toThrow("--rounds takes a whole number above 0.");
	expect(() => readOptions(["--round", "3"])).toThrow("--round");
	expect(() => readOptions(["--only", "flood", "--docs"])).toThrow("--docs is for a run of all faults.");
	expect(() => readOptions(["--continue", "--rounds", "3"])).toThrow("--continue plays what the journal says");
});

test("[FT9] every fault has a name of its own and says what breaks", () => {
	expect(new Set(FAULTS.map((fault) => fault.name)).size).toBe(FAULTS.length);
	for (const fault of FAULTS) expect(fault.breaks).toMatch(/\w{3}/);
});
