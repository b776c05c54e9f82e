import { expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import type { PlanDecision } from "../../../core/ports/agent-asks.ts";
import { planApproval } from "./plan-approval.ts";
import { applyTo, choicesOf, toMode, toRuntimeMode } from "./session-modes.ts";

test("[MD30] modes are agent, plan and autopilot; efforts are what the models tell, else the common ones", () => {
	expect(choicesOf(undefined)).toMatchObject({
		modes: [{ id: "agent" }, { id: "plan" }, { id: "autopilot" }],
		efforts: [{ id: "minimal" }, { id: "low" }, { id: "medium" }, { id: "high", name: "High" }, { id: "xhigh" }],
	});
	expect(choicesOf(["low", "max"]).efforts).toEqual([
		{ id: "low", name: "Low" },
		{ id: "max", name: "Max" },
	]);
	expect(["agent", "plan", "autopilot", "ask"].map(toRuntimeMode)).toEqual(["interactive", "plan", "autopilot", "interactive"]);
	expect(["interactive", "plan"].map(toMode)).toEqual(["agent", "plan"]);
});

function session(mode: "interactive" | "plan" | "autopilot", effort?: string) {
	const calls: string[] = [];
	const told: object[] = [];
	const note = async (what: string) => void calls.push(what);
	const sdk = {
		rpc: {
			mode: { get: async () => mode, set: async (wanted: { mode: string }) => void (await note(`mode ${wanted.mode}`)) },
			model: {
				getCurrent: async () => (effort === undefined ? {} : { reasoningEffort: effort }),
				setReasoningEffort: async ({ reasoningEffort }: { reasoningEffort: string }) => void (await note(`effort ${reasoningEffort}`)),
			},
			agent: {
				getCurrent: async () => ({ agent: null }),
				select: async ({ name }: { name: string }) => void (await note(`agent ${name}`)),
				deselect: async () => void (await note("no agent")),
			},
			plan: { update: async ({ content }: { content: string }) => void (await note(`plan ${content}`)) },
		},
	};
	return { calls, told, sdk };
}

test("[MD31] a session is brought to what its conversation is set to, and asked for nothing that it has already", async () => {
	const cases = [
		[session("plan", "high"), { mode: "agent", effort: "" }, ["mode interactive", "effort none"]],
		[session("interactive"), { mode: "plan", effort: "low" }, ["mode plan", "effort low"]],
		[session("autopilot", "none"), { mode: "autopilot", effort: "" }, []],
		[session("interactive"), { mode: "agent", effort: "", agentProfile: "poet" }, ["agent poet"]],
	] as const;
	for (const [{ sdk, calls }, settings, expected] of cases) {
		await applyTo(sdk, settings);
		expect(calls).toEqual(expected);
	}
});

test("[MD32] a plan that was changed or taken with words reaches the model as the person's own, outside of plan mode; a late or failed question leaves it there", async () => {
	const { sdk, calls } = session("plan");
	let decision: PlanDecision | Error = { approved: true, action: "autopilot", plan: "# Better", feedback: "Hurry" };
	let isOver = false;
	const steered: string[] = [];
	const approve = planApproval({
		options: {
			askPlan: async () => {
				if (decision instanceof Error) throw decision;
				return decision;
			},
			settings: () => ({ mode: "autopilot", effort: "" }),
		},
		logger: silentLogger,
		turn: () =>
			isOver
				? undefined
				: { signal: new AbortController().signal, waitWhile: (work) => work, steer: async ({ prompt }) => void steered.push(prompt) },
		session: () => sdk,
	});
	const ask = () => approve({ summary: "s", actions: ["autopilot"], recommendedAction: "autopilot" }, { sessionId: "c" });
	expect(await ask()).toEqual({ approved: true, selectedAction: "autopilot" });
	expect(calls).toEqual(["plan # Better", "mode autopilot"]);
	expect(steered).toEqual([expect.stringMatching(/I changed the plan.*# Better\n\nHurry$/s)]);
	decision = { approved: true };
	expect(await ask()).toEqual({ approved: true });
	decision = { approved: false };
	expect(await ask()).toEqual({ approved: false, feedback: expect.stringContaining("sent this plan back") });
	decision = new Error("no channel");
	expect(await ask()).toMatchObject({ approved: false, feedback: expect.stringContaining("Change nothing") });
	isOver = true;
	expect(await ask()).toMatchObject({ approved: false });
	expect(steered).toHaveLength(1);
});
