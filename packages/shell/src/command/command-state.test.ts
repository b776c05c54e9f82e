import fc from "fast-check";
import { expect, test } from "vitest";
import { type CommandAction, type CommandInput, type CommandState, nextCommand } from "./command-state.ts";

const exited = { code: 0, signal: null };

/** Plays inputs one after the other; gives every action and the state at the end. */
function play(state: CommandState, ...inputs: CommandInput[]): { state: CommandState; actions: CommandAction[] } {
	const actions: CommandAction[] = [];
	for (const input of inputs) {
		const step = nextCommand(state, input);
		actions.push(...step.actions);
		state = step.state;
	}
	return { state, actions };
}

const foreground: CommandState = { phase: "starting", background: false };
const background: CommandState = { phase: "starting", background: true };
const launched: CommandInput = { kind: "launched" };
const exit: CommandInput = { kind: "exit", exit: exited };
const kill: CommandInput = { kind: "kill", cause: "killed" };
const treeKilled: CommandInput = { kind: "tree-killed" };

test("[SH132] a command that ends by itself is looked after and told once", () => {
	const { state, actions } = play(foreground, launched, exit, { kind: "close" }, { kind: "looked", left: 0 });
	expect(actions).toEqual(["await-quiet", "collect", "look", "tell-end", "release"]);
	expect(state).toMatchObject({ phase: "ended", cause: "exited", exit: exited });
});

test("[SH132] the first cause of an end counts: a kill after the exit does not change how it ended", () => {
	const late = play(foreground, launched, exit, kill, treeKilled, { kind: "quiet" }, { kind: "looked", left: 0 });
	expect(late.state).toMatchObject({ phase: "ended", cause: "exited", exit: exited });
	const timedOut = play(foreground, launched, { kind: "timeout", onTimeout: "kill" }, kill, exit, treeKilled, { kind: "close" });
	expect(timedOut.state).toMatchObject({ phase: "ended", cause: "timed_out" });
	expect(timedOut.actions.filter((action) => action === "kill-tree")).toHaveLength(1);
});

test("[SH132] output that comes between the kill and the end of bash is waited for", () => {
	const killing = play(foreground, launched, kill, exit, { kind: "quiet" });
	expect(killing.state.phase).toBe("draining");
	expect(play(killing.state, treeKilled).actions).toEqual(["await-quiet"]);
});

test("[SH132] a command that nobody started, or that could not start, ends at once", () => {
	expect(play(foreground, kill).actions).toEqual(["collect", "tell-end", "release"]);
	expect(play(foreground, kill, launched, exit).state).toMatchObject({ phase: "ended", cause: "killed" });
	expect(play(foreground, { kind: "launch-failed", exit: { code: 127, signal: null } }).state).toMatchObject({ exit: { code: 127 } });
});

test("[SH132] what a command leaves behind is told with its end, and its own end later; of a job only the last end is told", () => {
	const left: CommandInput = { kind: "looked", left: 2 };
	const person = play(foreground, launched, exit, { kind: "quiet" }, left, { kind: "close" }, kill, treeKilled);
	expect(person.actions).toEqual(["await-quiet", "collect", "look", "tell-left", "check", "kill-tree", "tell-gone", "release"]);
	expect(person.state).toMatchObject({ phase: "ended", cause: "killed" });
	const job = play(background, launched, exit, { kind: "quiet" }, left, { kind: "timeout", onTimeout: "kill" }, { kind: "left-gone" });
	expect(job.actions.slice(3)).toEqual(["kill-tree", "tell-end", "release"]);
	expect(job.state).toMatchObject({ phase: "ended", cause: "timed_out" });
});

test("[SH132] a timeout does not reach what a foreground command left behind", () => {
	const timeout: CommandInput = { kind: "timeout", onTimeout: "kill" };
	const { actions } = play(foreground, launched, exit, timeout, { kind: "quiet" }, timeout, { kind: "looked", left: 1 }, timeout);
	expect(actions).not.toContain("kill-tree");
});

/** What each action brings about some time later. */
const ANSWERS: Partial<Record<CommandAction, CommandInput>> = {
	"kill-tree": treeKilled,
	"await-quiet": { kind: "quiet" },
	"await-exit": { kind: "exit-overdue" },
};
const event: fc.Arbitrary<CommandInput> = fc.oneof(
	fc.constant(exit),
	fc.constant<CommandInput>({ kind: "close" }),
	fc.constant(kill),
	fc.constant<CommandInput>({ kind: "unreachable" }),
	fc.constant<CommandInput>({ kind: "left-gone" }),
	fc.constantFrom("kill" as const, "background" as const).map((onTimeout): CommandInput => ({ kind: "timeout", onTimeout })),
);

test("[SH132] exactly one end is told, in whatever order exit, close, kill, timeout and the looks come", () => {
	fc.assert(
		fc.property(
			fc.boolean(),
			fc.boolean(),
			fc.array(event, { maxLength: 8 }),
			fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
			fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
			(isBackground, starts, events, order, left) => {
				let state: CommandState = { phase: "starting", background: isBackground };
				const told: CommandAction[] = [];
				const start: CommandInput = starts ? launched : { kind: "launch-failed", exit: { code: 127, signal: null } };
				// Whatever else happens, a command starts once, and in the end somebody wants to be rid of it.
				const waiting: CommandInput[] = [start, ...events];
				let looks = 0;
				for (let step = 0; state.phase !== "ended" && step < 60; step++) {
					if (waiting.length === 0) waiting.push(kill);
					const at = (order[step] ?? 0) % waiting.length;
					const isOfBash = waiting[at]?.kind === "exit" || waiting[at]?.kind === "close";
					// Bash tells of its end only after it was started.
					const isTooEarly = isOfBash && state.phase === "starting";
					const [input = kill] = waiting.splice(isTooEarly ? waiting.indexOf(start) : at, 1);
					const next = nextCommand(state, input);
					state = next.state;
					for (const action of next.actions) {
						if (action.startsWith("tell-")) told.push(action);
						const answer = action === "look" ? { kind: "looked" as const, left: left[looks++] ?? 0 } : ANSWERS[action];
						if (answer !== undefined) waiting.push(answer);
					}
				}
				expect(state.phase).toBe("ended");
				const ends = told.filter((action) => action !== "tell-promoted");
				expect([["tell-end"], ["tell-left", "tell-gone"]]).toContainEqual(ends);
				const after = [...events, launched, exit, kill, treeKilled].flatMap((input) => nextCommand(state, input).actions);
				expect(after).toEqual([]);
			},
		),
		{ numRuns: 3_000, seed: 132 },
	);
});
