import fc from "fast-check";
import { expect, test } from "vitest";
import type { CommandHandle, ExecResult } from "../ports/shell.ts";
import { type CommandInput, type CommandState, nextCommandState } from "./command-state.ts";

const result: ExecResult = { exitCode: 0, output: "", truncated: false, cwd: "/", durationMs: 1, end: "exited" };
const execution: CommandHandle = { done: Promise.resolve(result), kill: () => undefined };
const WAITING: CommandState = { state: "waiting" };
const ORDER = ["waiting", "running", "stopping", "storing", "ended"];

const input: fc.Arbitrary<CommandInput> = fc.oneof(
	fc.constant({ kind: "begun" as const, execution }),
	fc.constant({ kind: "disk-failed" as const }),
	fc.constant({ kind: "kill" as const }),
	fc.integer({ min: 0, max: 255 }).map((exitCode) => ({ kind: "exited" as const, result: { ...result, exitCode } })),
	fc.constant({ kind: "shell-failed" as const }),
	fc.constant({ kind: "deadline" as const }),
	fc.constant({ kind: "stored" as const }),
);

function play(inputs: CommandInput[]): CommandState[] {
	const states = [WAITING];
	for (const each of inputs) states.push(nextCommandState(states.at(-1) ?? WAITING, each));
	return states;
}

test("[BX150] whatever comes in whatever order, a command has one end, which nothing replaces, and never goes back", () => {
	fc.assert(
		fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
			const states = play([...inputs, { kind: "kill" }, { kind: "deadline" }, { kind: "stored" }]);
			expect(states.at(-1)?.state).toBe("ended");
			const ends = new Set(states.flatMap((state) => (state.state === "storing" || state.state === "ended" ? [state.end] : [])));
			expect(ends.size).toBe(1);
			const places = states.map(({ state }) => ORDER.indexOf(state));
			expect(places).toEqual(places.toSorted((a, b) => a - b));
		}),
	);
});

test("[BX151] a command that was killed before it was durable never begins", () => {
	fc.assert(
		fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
			const states = play([{ kind: "kill" }, ...inputs]);
			expect(states.some(({ state }) => state === "running" || state === "stopping")).toBe(false);
			expect(states.at(-1)).toMatchObject({ end: { kind: "not-begun", because: "killed" } });
		}),
	);
});
