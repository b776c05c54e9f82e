import fc from "fast-check";
import { expect, test } from "vitest";
import type { TurnEnd } from "../active/active-conversations.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";
import { nextTurnState, type TurnState, type TurnStateInput } from "./turn-state.ts";

const session: AgentSession = {
	sessionId: "s",
	opened: "new",
	async *run() {
		yield { kind: "turn-end", outcome: "completed" };
	},
	steer: async () => undefined,
	setModel: async () => undefined,
	close: async () => undefined,
};
const end: fc.Arbitrary<TurnEnd> = fc.record({ outcome: fc.constantFrom("completed", "aborted", "error", "interrupted") });
const input: fc.Arbitrary<TurnStateInput> = fc.oneof(
	fc.constant({ kind: "opened" as const, session }),
	end.map((stopped) => ({ kind: "stop" as const, end: stopped })),
	end.map((reported) => ({ kind: "reported" as const, end: reported })),
	fc.constant({ kind: "deadline" as const }),
	fc.constant({ kind: "stored" as const }),
);
const OPENING: TurnState = { state: "opening" };
const ORDER = ["opening", "answering", "stopping", "storing", "ended"];

function play(inputs: TurnStateInput[]): TurnState[] {
	const states = [OPENING];
	for (const each of inputs) states.push(nextTurnState(states.at(-1) ?? OPENING, each));
	return states;
}

test("[CV160] whatever comes in whatever order, a turn has one end, which nothing replaces, and never goes back", () => {
	fc.assert(
		fc.property(fc.array(input, { maxLength: 30 }), end, (inputs, last) => {
			const states = play([...inputs, { kind: "reported", end: last }, { kind: "stored" }]);
			expect(states.at(-1)?.state).toBe("ended");
			const ends = new Set(states.flatMap((state) => (state.state === "storing" || state.state === "ended" ? [state.end] : [])));
			expect(ends.size).toBe(1);
			const places = states.map(({ state }) => ORDER.indexOf(state));
			expect(places).toEqual(places.toSorted((a, b) => a - b));
		}),
	);
});

test("[CV161] the first reason to stop a turn is how it ends, whatever the runtime says about it", () => {
	fc.assert(
		fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
			const states = play(inputs);
			const firstStop = states.findIndex((state) => state.state === "stopping");
			fc.pre(firstStop > 0);
			const stop = inputs[firstStop - 1];
			for (const state of states.slice(firstStop)) expect("end" in state && state.end).toBe(stop?.kind === "stop" && stop.end);
		}),
	);
});

test("[CV160] an input that means nothing in a state leaves the very same state", () => {
	const opening = nextTurnState(OPENING, { kind: "deadline" });
	expect(opening).toBe(OPENING);
	const ended = play([{ kind: "reported", end: { outcome: "completed" } }, { kind: "stored" }]).at(-1) ?? OPENING;
	expect(nextTurnState(ended, { kind: "stop", end: { outcome: "aborted" } })).toBe(ended);
});
