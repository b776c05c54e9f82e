import type { SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { MAX_CONTINUATIONS } from "./autopilot.ts";
import { NEW_TURN, nextTurn, type TurnEffect, type TurnInputs } from "./turn-state.ts";

const sdkEvent = (type: string, data: object = {}): TurnInputs => {
	const event: SessionEvent = JSON.parse(JSON.stringify({ id: "e1", parentId: null, timestamp: "", type, data }));
	return { kind: "event", event };
};
const BEGUN: TurnInputs[] = [
	{ kind: "attached" },
	{ kind: "prompt-accepted", messageId: "p1" },
	sdkEvent("user.message", { messageId: "p1", content: "", agentMode: "autopilot" }),
];
const rest = sdkEvent("assistant.idle");
const over = sdkEvent("session.idle", { mode: "autopilot" });
const goOn = (n: number) =>
	sdkEvent("user.message", { messageId: `c${n}`, content: "", agentMode: "autopilot", isAutopilotContinuation: true });
const says = (content: string) => sdkEvent("assistant.message", { messageId: content, content });

function play(...inputs: TurnInputs[]) {
	let state = NEW_TURN;
	const effects: TurnEffect[] = [];
	for (const input of [...BEGUN, ...inputs]) {
		const step = nextTurn(state, input, ({ message }) => ({ code: "provider-error", message }));
		state = step.state;
		effects.push(...step.effects);
	}
	const events = effects.flatMap((effect): TurnEvent[] => (effect.do === "emit" ? [effect.event] : []));
	const shown = events.flatMap((event) =>
		event.kind === "message-end"
			? [event.content]
			: event.kind === "turn-end"
				? [event.outcome]
				: event.kind === "notice"
					? [event.code]
					: [],
	);
	return { state, shown, aborts: effects.filter((effect) => effect.do === "abort").length };
}

test("[MD20] on autopilot a turn goes on over the runtime's own prompts, shows nothing of them, and its last word is the summary of the task", () => {
	const running = play(says("one"), rest, goOn(1), says("two"), rest);
	expect([running.state.phase.at, running.shown]).toEqual(["running", ["one", "two"]]);
	const done = play(says("one"), rest, goOn(1), sdkEvent("session.task_complete", { summary: "All done", success: true }), rest, over);
	expect(done.shown).toEqual(["one", "All done", "completed"]);
	const left = play(sdkEvent("session.mode_changed", { newMode: "interactive" }), says("one"), rest);
	expect(left.shown).toEqual(["one", "completed"]);
	const taken = play(
		sdkEvent("session.mode_changed", { newMode: "plan" }),
		sdkEvent("session.mode_changed", { newMode: "autopilot" }),
		rest,
		goOn(1),
	);
	expect(taken.state.phase.at).toBe("running");
});

test("[MD21] a turn that went on by itself and came to no end says so; a failing model, a limit, and too many rounds end it, and a stop stays a stop", () => {
	expect(play(says("one"), rest, goOn(1), says("two"), rest, over).shown).toEqual(["one", "two", "autopilot-ended", "completed"]);
	const failed = play(sdkEvent("session.error", { errorType: "query", message: "wrong" }), rest, goOn(1), rest);
	expect([failed.shown, failed.aborts]).toEqual([["error"], 1]);
	const limited = play(says("one"), rest, goOn(1), { kind: "enough" }, rest);
	expect([limited.shown, limited.aborts]).toEqual([["one", "autopilot-ended", "completed"], 1]);
	const rounds = Array.from({ length: MAX_CONTINUATIONS + 1 }, (_, n) => [rest, goOn(n)]).flat();
	const endless = play(...rounds, rest);
	expect([endless.shown, endless.aborts]).toEqual([["autopilot-ended", "completed"], 1]);
	expect(play(...rounds, { kind: "stop-failed" }).shown).toEqual(["autopilot-ended", "completed"]);
	expect(play(rest, goOn(1), { kind: "stop" }, rest).shown).toEqual(["aborted"]);
	expect(play(...rounds, { kind: "stop" }, rest).shown).toEqual(["aborted"]);
});
