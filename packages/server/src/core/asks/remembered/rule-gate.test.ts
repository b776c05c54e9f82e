import { expect, test } from "vitest";
import { conversationId } from "../../kernel/ids.ts";
import { createRuleGate, MAX_PASSED_CALLS } from "./rule-gate.ts";

const here = conversationId("here");
const rules = [{ id: "r1", folder: "/shop", words: ["ls"], exact: false, writes: false, createdAt: 1 }];

/** A gate whose rules cover whatever begins with `ls`. */
function gate() {
	const remembered = {
		covers: async (command: string, cwd: string) => (command.startsWith("ls") ? { cwd, rules } : undefined),
		offer: async () => [],
	};
	const audited: string[] = [];
	const audit = { record: ({ detail = "" }: { detail?: string | undefined }) => void audited.push(detail) };
	const made = createRuleGate({ remembered, audit, plainCwd: async () => "/shop", realCwd: async () => "/shop" });
	const turn = new AbortController();
	const pass = async (command: string, toolCallId: string) => {
		const verdict = await made.check(here, { kind: "custom-tool", summary: "", command, toolCallId }, turn.signal);
		return verdict.passes;
	};
	return { gate: made, turn, pass, audited };
}

test("[RP47] a call that rules let through is known by its id, and by its words where the agent gave it another", async () => {
	const { gate: rule, pass } = gate();
	expect([await pass("ls", "1"), await pass("ls", "2"), await pass("rm x", "3")]).toEqual([true, true, false]);
	expect(rule.take(here, { toolCallId: "3", command: "rm x" })).toBeUndefined();
	expect(rule.take(conversationId("there"), { toolCallId: "1", command: "ls" })).toBeUndefined();
	expect(rule.take(here, { toolCallId: "other", command: "ls" })).toEqual({ cwd: "/shop", rules });
	expect(rule.take(here, { toolCallId: "1", command: "ls" })).toEqual({ cwd: "/shop", rules });
	expect(rule.take(here, { toolCallId: "2", command: "ls" })).toEqual({ cwd: "/shop", rules });
	expect(rule.take(here, { toolCallId: "2", command: "ls" })).toBeUndefined();
});

test("[RP47] calls that have not run are bounded, and end with their turn or their conversation", async () => {
	const { gate: rule, turn, pass } = gate();
	for (let n = 0; n < MAX_PASSED_CALLS; n += 1) expect(await pass(`ls ${n}`, `${n}`)).toBe(true);
	expect(await pass("ls more", "more")).toBe(false);
	turn.abort();
	expect(rule.take(here, { toolCallId: "0", command: "ls 0" })).toBeUndefined();
	const other = gate();
	await other.pass("ls", "1");
	other.gate.forget(here);
	expect(other.gate.take(here, { toolCallId: "1", command: "ls" })).toBeUndefined();
});

test("[RP42] what rules let run is in the audit log with the rule, once for each run; what a person let run is not", async () => {
	const { gate: rule, pass, audited } = gate();
	await pass("ls -l", "1");
	expect(audited).toEqual([]);
	rule.take(here, { toolCallId: "1", command: "ls -l" });
	rule.take(here, { toolCallId: "2", command: "rm x" });
	expect(audited).toEqual(["ls -l in here, by ls … in /shop"]);
});
