import type { SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { createMemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { ANNOUNCE_GRACE_MS, createTurn } from "./turn.ts";

const sdkEvent = (type: string, data: object, more: object = {}): SessionEvent =>
	JSON.parse(JSON.stringify({ id: "e", parentId: null, timestamp: "", type, data, ...more }));
const userMessage = (messageId: string) => sdkEvent("user.message", { messageId, content: "" });
const delta = (content: string, messageId = "m") => sdkEvent("assistant.message_delta", { messageId, deltaContent: content });
const idle = (type = "assistant.idle") => sdkEvent(type, {});

/** A turn whose runtime side is played by the test. */
function setUp({ areQuiet = async () => false }: { areQuiet?: () => Promise<boolean> } = {}) {
	const clock = createFakeClock();
	const sends: ((messageId: string) => void)[] = [];
	const gone = new AbortController();
	let aborts = 0;
	let invalidated = 0;
	const turn = createTurn({
		clock,
		account: createMemoryLedger().account("agent"),
		attach: async () => ({
			gone: gone.signal,
			tasks: { areQuiet, stop: async () => true },
			sdk: {
				send: () => new Promise<string>((resolve) => sends.push(resolve)),
				abort: () => {
					aborts += 1;
					return new Promise<void>(() => undefined);
				},
			},
		}),
		invalidate: () => {
			invalidated += 1;
		},
		describe: ({ message }) => ({ code: "provider-error", message }),
		redact: (text) => text,
		mayGoOn: () => true,
	});
	const stop = new AbortController();
	const events: TurnEvent[] = [];
	const done = (async () => {
		for await (const event of turn.events()) events.push(event);
	})();
	return {
		clock,
		turn,
		events,
		done,
		stop,
		begin: async () => {
			turn.start({ prompt: "p", displayPrompt: "p" }, stop.signal);
			await clock.settle();
		},
		accept: async (index: number, messageId: string) => {
			sends[index]?.(messageId);
			await clock.settle();
		},
		aborts: () => aborts,
		invalidated: () => invalidated,
	};
}

test("[RT50] an idle that was still on its way from the turn before does not end this one", async () => {
	const { turn, begin, accept, events, done } = setUp();
	await begin();
	turn.handle(idle("session.idle"));
	await accept(0, "p1");
	turn.handle(idle("session.idle"));
	turn.handle(userMessage("p1"));
	turn.handle(delta("mine"));
	turn.handle(idle());
	await done;
	expect(events.map(({ kind }) => kind)).toEqual(["text-delta", "turn-end"]);
});

test("[RT50] an idle of the turn before is not remembered for later: a prompt that is steered in does not end the turn", async () => {
	const { turn, begin, accept, clock } = setUp();
	await begin();
	await accept(0, "p1");
	turn.handle(idle("session.idle"));
	turn.handle(userMessage("p1"));
	const steered = turn.steer({ prompt: "more", displayPrompt: "more" });
	turn.handle(userMessage("p2"));
	await accept(1, "p2");
	await steered;
	await clock.settle();
	expect(turn.ended).toBe(false);
});

test("[RT50] events that overtake the answer to the prompt are kept in order", async () => {
	const { turn, begin, accept, events, done } = setUp();
	await begin();
	turn.handle(userMessage("p1"));
	turn.handle(delta("early"));
	turn.handle(idle());
	await accept(0, "p1");
	await done;
	expect(events).toEqual([
		{ kind: "text-delta", messageId: "m", content: "early" },
		{ kind: "turn-end", outcome: "completed" },
	]);
});

test("[RT51] a turn that went idle while a prompt was being steered in goes on until that one is answered", async () => {
	const { turn, begin, accept, events, done, clock } = setUp();
	await begin();
	await accept(0, "p1");
	turn.handle(userMessage("p1"));
	const steered = turn.steer({ prompt: "more", displayPrompt: "more" });
	turn.handle(idle());
	expect(turn.ended).toBe(false);
	await accept(1, "p2");
	await steered;
	await clock.settle();
	expect(turn.ended).toBe(false);
	turn.handle(userMessage("p2"));
	turn.handle(delta("both"));
	turn.handle(idle());
	await done;
	expect(events.at(-1)).toEqual({ kind: "turn-end", outcome: "completed" });
	await expect(turn.steer({ prompt: "late", displayPrompt: "late" })).rejects.toMatchObject({ code: "not-running" });
});

test("[RT52] an error that is not followed by idle still ends the turn, and the session is not trusted any more", async () => {
	const { turn, begin, accept, events, done, clock, invalidated } = setUp();
	await begin();
	await accept(0, "p1");
	turn.handle(userMessage("p1"));
	turn.handle(sdkEvent("session.error", { errorType: "query", message: "went wrong" }));
	await clock.advance(5_000);
	await done;
	expect(events).toEqual([{ kind: "turn-end", outcome: "error", error: { code: "provider-error", message: "went wrong" } }]);
	expect(invalidated()).toBe(1);
});

test("[RT31] a stop before the prompt has arrived waits for it, but not for long, and nothing follows the end", async () => {
	const { turn, begin, events, done, clock, stop, accept, aborts, invalidated } = setUp();
	await begin();
	stop.abort();
	await clock.settle();
	expect(aborts()).toBe(0);
	await clock.advance(1_500);
	await done;
	expect(events).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
	expect(invalidated()).toBeGreaterThan(0);
	await accept(0, "p1");
	turn.handle(delta("late"));
	expect(events).toHaveLength(1);
	expect(turn.signal.aborted).toBe(true);
});

test("[RT53] what sub-agents say is not part of the answer", async () => {
	const { turn, begin, accept, events, done } = setUp();
	await begin();
	await accept(0, "p1");
	turn.handle(userMessage("p1"));
	turn.handle(sdkEvent("assistant.message_delta", { messageId: "s", deltaContent: "inner" }, { agentId: "a1" }));
	turn.handle(sdkEvent("assistant.idle", {}, { agentId: "a1" }));
	turn.handle(delta("outer"));
	turn.handle(idle());
	await done;
	const said = events.filter((event) => !("agentId" in event));
	expect(said.map((event) => ("content" in event ? event.content : event.kind))).toEqual(["outer", "turn-end"]);
});

test("[RT110] what sub-agents run and use is shown, with their id and the call that started them; their idle ends nothing", async () => {
	const { turn, begin, accept, events, done } = setUp();
	await begin();
	await accept(0, "p1");
	turn.handle(userMessage("p1"));
	const inner = { agentId: "a1" };
	const start = { toolCallId: "t1", toolName: "Bash", arguments: { command: "ls" }, parentToolCallId: "task-1" };
	turn.handle(sdkEvent("session.usage_info", { currentTokens: 10, tokenLimit: 100 }));
	turn.handle(sdkEvent("session.usage_info", { currentTokens: 77, tokenLimit: 100 }, inner));
	turn.handle(sdkEvent("assistant.usage", { inputTokens: 5, outputTokens: 2, model: "small" }, inner));
	turn.handle(sdkEvent("tool.execution_start", start, inner));
	turn.output("t1", "live");
	turn.handle(sdkEvent("tool.execution_complete", { toolCallId: "t1", success: true, result: { content: "a" } }, inner));
	turn.handle(sdkEvent("session.idle", {}, inner));
	expect(turn.ended).toBe(false);
	turn.handle(idle());
	await done;
	const by = { agentId: "a1", parentToolCallId: "task-1" };
	expect(events).toEqual([
		{ kind: "usage", inputTokens: 5, outputTokens: 2, model: "small", contextTokens: 10, contextLimit: 100, agentId: "a1" },
		{ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: { command: "ls" }, ...by },
		{ kind: "tool-output", toolCallId: "t1", content: "live" },
		{ kind: "tool-end", toolCallId: "t1", success: true, result: "a", ...by },
		{ kind: "turn-end", outcome: "completed" },
	]);
});

test("[RT111] a call that the runtime announces nowhere is shown with its result, and one that it announces only once", async () => {
	const { turn, begin, accept, events, done, clock } = setUp();
	await begin();
	await accept(0, "p1");
	turn.handle(userMessage("p1"));
	const call = { toolCallId: "t1", toolName: "Bash", arguments: { command: "ls" } };
	await turn.call(call, async () => ({ textResultForLlm: "hidden work", resultType: "success" }));
	await clock.advance(ANNOUNCE_GRACE_MS);
	turn.handle(sdkEvent("tool.execution_start", { ...call, toolCallId: "t2" }));
	await turn.call({ ...call, toolCallId: "t2" }, async () => ({ textResultForLlm: "our words", resultType: "success" }));
	turn.handle(sdkEvent("tool.execution_complete", { toolCallId: "t2", success: true, result: { content: "***" } }));
	turn.handle(idle());
	await done;
	expect(events.slice(0, -1)).toEqual([
		{ kind: "tool-start", ...call },
		{ kind: "tool-end", toolCallId: "t1", success: true, result: "hidden work" },
		{ kind: "tool-start", ...call, toolCallId: "t2" },
		{ kind: "tool-end", toolCallId: "t2", success: true, result: "our words" },
	]);
});

test("[RT29] a stop that comes while the prompt is on its way ends the turn as aborted, whatever arrived meanwhile", async () => {
	const bed = setUp();
	await bed.begin();
	bed.turn.handle(userMessage("u1"));
	bed.turn.handle(idle());
	bed.stop.abort();
	await bed.accept(0, "u1");
	await bed.done;
	expect(bed.events).toEqual([{ kind: "turn-end", outcome: "aborted" }]);
	expect(bed.aborts()).toBe(1);
});

const inBackground = sdkEvent(
	"subagent.started",
	{ toolCallId: "task-1", agentDisplayName: "helper", agentName: "g", executionMode: "background" },
	{ agentId: "a1" },
);

test("[SA5] while somebody works in the background the turn goes on, and what the agent says when it is woken belongs to it", async () => {
	const { turn, begin, accept, events, done, clock } = setUp();
	await begin();
	await accept(0, "p1");
	for (const event of [userMessage("p1"), inBackground, delta("Started."), idle()]) turn.handle(event);
	await clock.advance(5_000);
	expect(turn.ended).toBe(false);
	turn.handle(sdkEvent("subagent.completed", { toolCallId: "task-1", durationMs: 5 }, { agentId: "a1" }));
	for (const event of [sdkEvent("assistant.turn_start", {}), delta("Woken.", "m2"), idle(), idle("session.idle")]) turn.handle(event);
	await done;
	expect(events.map((event) => ("content" in event ? event.content : event.kind))).toEqual([
		"subagent",
		"Started.",
		"subagent",
		"Started.",
		"Woken.",
		"turn-end",
	]);
});

test("[SA6] after the last one in the background was stopped the turn ends when two looks in a row find nobody at work", async () => {
	let looks = 0;
	const { turn, begin, accept, events, done, clock } = setUp({ areQuiet: async () => ++looks > 1 });
	await begin();
	await accept(0, "p1");
	for (const event of [userMessage("p1"), inBackground, delta("Started."), idle()]) turn.handle(event);
	turn.handle(sdkEvent("subagent.completed", { toolCallId: "task-1", cancelled: true }, { agentId: "a1" }));
	for (let second = 0; second < 4; second += 1) await clock.advance(1_000);
	await done;
	expect(looks).toBe(3);
	expect(events.at(-1)).toEqual({ kind: "turn-end", outcome: "completed" });
	expect(events.filter((event) => event.kind === "subagent")).toMatchObject([
		{ state: "started", name: "helper" },
		{ state: "completed", cancelled: true },
	]);
});

test("[RT575] a count of bytes breaks the silence, and the wait after an error, as any other event does", async () => {
	const { turn, begin, accept, clock, events } = setUp();
	const counted = sdkEvent("assistant.streaming_delta", { totalResponseSizeBytes: 10 });
	await begin();
	await accept(0, "p1");
	turn.handle(userMessage("p1"));
	await clock.advance(59_000);
	turn.handle(counted);
	await clock.advance(59_000);
	expect(events).toEqual([]);
	turn.handle(sdkEvent("session.error", { errorType: "query", message: "broken" }));
	turn.handle(counted);
	await clock.advance(59_000);
	expect([turn.ended, events]).toEqual([false, []]);
});
