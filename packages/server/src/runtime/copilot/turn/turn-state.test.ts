import type { SessionEvent } from "@github/copilot-sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../../core/kernel/errors.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { NEW_TURN, nextTurn, type TurnEffect, type TurnInputs } from "./turn-state.ts";

const sdkEvent = (type: string, data: object, more: object = {}): TurnInputs => {
	const event: SessionEvent = JSON.parse(JSON.stringify({ id: "e", parentId: null, timestamp: "", type, data, ...more }));
	return { kind: "event", event };
};
const accepted: TurnInputs = { kind: "prompt-accepted", messageId: "p1" };
const taken = (messageId = "p1") => sdkEvent("user.message", { messageId, content: "" });
const idle = sdkEvent("assistant.idle", {});
const error = new AppError("runtime-died", "gone");
const tool = { toolCallId: "t", toolName: "Bash", arguments: {} };

function play(inputs: TurnInputs[]) {
	let state = NEW_TURN;
	const effects: TurnEffect[] = [];
	for (const input of inputs) {
		const step = nextTurn(state, input, ({ message }) => ({ code: "provider-error", message }));
		state = step.state;
		effects.push(...step.effects);
	}
	const events = effects.flatMap((effect): TurnEvent[] => (effect.do === "emit" ? [effect.event] : []));
	return { state, effects, events, did: (what: TurnEffect["do"]) => effects.filter((effect) => effect.do === what).length };
}

const ANY: TurnInputs[] = [
	{ kind: "attached" },
	{ kind: "attach-failed", error },
	accepted,
	{ kind: "prompt-failed", error },
	{ kind: "steer" },
	{ kind: "steered" },
	{ kind: "steered", messageId: "p2" },
	{ kind: "stop" },
	{ kind: "stop-failed" },
	{ kind: "error-overdue" },
	{ kind: "calls-overdue" },
	{ kind: "gone", error },
	taken(),
	taken("p2"),
	idle,
	sdkEvent("session.idle", {}, { agentId: "a" }),
	sdkEvent("assistant.message_delta", { messageId: "m", deltaContent: "text" }),
	sdkEvent("session.error", { errorType: "query", message: "wrong" }),
	sdkEvent("tool.execution_start", tool),
	sdkEvent("tool.execution_complete", { toolCallId: "t", success: true }),
	{ kind: "call", input: { kind: "delivered", call: tool } },
	{ kind: "call", input: { kind: "returned", toolCallId: "t", success: true, text: "done" } },
];

test("[RT61] whatever happens in whatever order, a turn ends at most once, last, with every tool settled; losing the runtime ends it for sure", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...ANY), { maxLength: 40 }), (inputs) => {
			const { events, state } = play([...inputs, { kind: "gone", error }]);
			expect(state.phase.at).toBe("ended");
			expect(events.filter(({ kind }) => kind === "turn-end")).toHaveLength(1);
			expect(events.at(-1)?.kind).toBe("turn-end");
			const count = (kind: TurnEvent["kind"]) => events.filter((event) => event.kind === kind).length;
			expect(count("tool-start")).toBe(count("tool-end"));
		}),
		{ numRuns: 500 },
	);
});

test("[RT29] once a person has stopped the turn, it never ends as completed, and the runtime is told to abort at most once", () => {
	const quiet = ANY.filter(({ kind }) => kind !== "attach-failed" && kind !== "attached");
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...quiet), { maxLength: 20 }),
			fc.array(fc.constantFrom(...quiet), { maxLength: 20 }),
			(before, after) => {
				const first = play([{ kind: "attached" }, ...before]);
				fc.pre(first.state.phase.at !== "ended");
				const { events, did } = play([{ kind: "attached" }, ...before, { kind: "stop" }, ...after, { kind: "stop-failed" }]);
				const end = events.at(-1);
				expect(end?.kind === "turn-end" && ["aborted", "error"].includes(end.outcome)).toBe(true);
				expect(did("abort")).toBeLessThanOrEqual(1);
			},
		),
		{ numRuns: 500 },
	);
});

test("[RT125] a turn that goes idle before the runtime has said how a sub-agent's call ended waits for that, but not for ever", () => {
	const inner = { agentId: "a1" };
	const before: TurnInputs[] = [
		...[{ kind: "attached" } satisfies TurnInputs, accepted, taken()],
		{ kind: "call", input: { kind: "delivered", call: tool } },
		{ kind: "call", input: { kind: "returned", toolCallId: "t", success: true, text: "done" } },
		idle,
	];
	const shown = [
		{ kind: "tool-start", ...tool, ...inner },
		{ kind: "tool-end", toolCallId: "t", success: true, result: "done", ...inner },
		{ kind: "turn-end", outcome: "completed" },
	];
	expect(play(before)).toMatchObject({ events: [], effects: [{ do: "unlimit-error" }, { do: "unlimit-error" }, { do: "limit-calls" }] });
	const late = [
		sdkEvent("tool.execution_start", tool, inner),
		sdkEvent("tool.execution_complete", { toolCallId: "t", success: true }, inner),
	];
	expect(play([...before, ...late]).events).toEqual(shown);
	expect(play([...before, { kind: "calls-overdue" }]).events.map(({ kind }) => kind)).toEqual(shown.map(({ kind }) => kind));
});

test("[RT126] a prompt that could not be steered in does not keep a turn open that went idle meanwhile", () => {
	const { events } = play([{ kind: "attached" }, accepted, taken(), { kind: "steer" }, idle, { kind: "steered" }]);
	expect(events).toEqual([{ kind: "turn-end", outcome: "completed" }]);
});

test("[RT127] a prompt that the runtime left unanswered ends the turn and the session is not used again as it is", () => {
	const { events, did } = play([{ kind: "attached" }, { kind: "prompt-failed", error }]);
	expect(events).toMatchObject([{ kind: "turn-end", outcome: "interrupted", error: { code: "runtime-died" } }]);
	expect(did("invalidate")).toBe(1);
});

test("[RT31] the time that a stop may take is counted from the stop, also if the prompt is accepted after it", () => {
	const { effects } = play([{ kind: "attached" }, { kind: "stop" }, accepted]);
	expect(effects).toEqual([{ do: "limit-stop" }, { do: "abort" }]);
});
