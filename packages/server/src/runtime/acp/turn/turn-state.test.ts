import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../../core/kernel/errors.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { type Quirks, quirksOf } from "../quirks.ts";
import { MAX_PIECE_CHARS } from "./messages.ts";
import { newTurn, nextTurn, type SessionUsage, type TurnEffect, type TurnMachineInput } from "./turn-state.ts";
import { readToolReport, readUpdate } from "./updates.ts";

const error = new AppError("agent-died", "gone");
const update = (raw: object): TurnMachineInput => ({ kind: "update", update: readUpdate(raw) });
const text = (words: string, messageId?: string) =>
	update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words }, messageId });
const thought = (words: string, messageId?: string) =>
	update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: words }, messageId });
const tool = (more: object = {}) =>
	update({
		sessionUpdate: "tool_call",
		toolCallId: "t",
		title: "ls",
		kind: "execute",
		status: "pending",
		rawInput: { command: "ls" },
		...more,
	});
const toolUpdate = (more: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "t", ...more });
const output = (words: string) => [{ type: "content", content: { type: "text", text: words } }];
const answered: TurnMachineInput = { kind: "answered", stopReason: "end_turn", tokens: { input: 3, output: 4 } };
const sent: TurnMachineInput = { kind: "sent" };

function play(inputs: TurnMachineInput[], more: { agent?: string; earlier?: SessionUsage } = {}) {
	const quirks: Quirks = quirksOf({ id: more.agent ?? "any", command: ["any"] });
	const earlier = more.earlier ?? {};
	let state = newTurn(earlier);
	const effects: TurnEffect[] = [];
	for (const input of inputs) {
		const step = nextTurn(state, input, { name: "Agent", model: "m", quirks, ourTools: ["Bash"], prefix: "p", earlier });
		state = step.state;
		effects.push(...step.effects);
	}
	const events = effects.flatMap((effect): TurnEvent[] => (effect.do === "emit" ? [effect.event] : []));
	return { state, events, did: effects.map((effect) => effect.do).filter((what) => what !== "emit"), end: events.at(-1) };
}

const report = readToolReport({ toolCallId: "t", title: "rightseat_Bash", rawInput: { command: "x" } });
if (report === undefined) throw new Error("unreachable");

const ANY: TurnMachineInput[] = [
	...[sent, answered, text("a", "m1"), text("b"), thought("c", "m1"), tool(), tool({ toolCallId: "u", rawInput: {} })],
	...[toolUpdate({ status: "in_progress", content: output("x") }), toolUpdate({ status: "completed" }), toolUpdate({ status: "failed" })],
	update({ sessionUpdate: "plan", entries: [{ content: "step", status: "pending" }] }),
	update({ sessionUpdate: "session_info_update", title: "T" }),
	update({ sessionUpdate: "usage_update", used: 5, size: 10, cost: { amount: 1, currency: "USD" } }),
	update({ sessionUpdate: "telepathy" }),
	{ kind: "card", input: { kind: "report", report, isAsked: true } },
	{ kind: "card", input: { kind: "called", toolCallId: "t", toolName: "Bash", input: {} } },
	{ kind: "card", input: { kind: "output", toolCallId: "t", text: "live" } },
	{ kind: "card", input: { kind: "returned", toolCallId: "t", ok: true, text: "done" } },
	{ kind: "answered", stopReason: "cancelled", tokens: null },
	{ kind: "failed", error },
	{ kind: "stop" },
	{ kind: "stop-overdue" },
	{ kind: "open-failed", error },
];

test("[AC20] whatever comes in whatever order, a turn ends exactly once, last, with every tool started once and ended once", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...ANY), { maxLength: 40 }), (inputs) => {
			const { events, state } = play([...inputs, { kind: "gone", error }]);
			expect(state.at).toBe("ended");
			expect(events.filter(({ kind }) => kind === "turn-end")).toHaveLength(1);
			expect(events.at(-1)?.kind).toBe("turn-end");
			for (const id of ["t", "u"]) {
				const kinds = events.flatMap((event) => ("toolCallId" in event && event.toolCallId === id ? [event.kind] : []));
				expect(kinds.filter((kind) => kind === "tool-end").length).toBe(kinds.length === 0 ? 0 : 1);
				if (kinds.length > 0) expect([kinds[0], kinds.at(-1)]).toEqual(["tool-start", "tool-end"]);
			}
		}),
	);
});

test("[AC20] an answer that was said before the end is kept whole, whatever ends the turn", () => {
	const ends: TurnMachineInput[] = [answered, { kind: "failed", error }, { kind: "gone", error }, { kind: "stop-overdue" }];
	for (const end of ends) {
		const { events } = play([sent, text("Half an ", "m"), text("answer", "m"), end]);
		expect(events.filter(({ kind }) => kind === "message-end")).toEqual([
			{ kind: "message-end", messageId: "p-1", content: "Half an answer" },
		]);
	}
});

test("[AC142] a text of many megabytes is said in pieces, and no character is cut", () => {
	const whole = `x${"🙂".repeat(MAX_PIECE_CHARS)}`;
	const { events } = play([sent, text(whole), answered]);
	const pieces = events.flatMap((event) => (event.kind === "text-delta" ? [event.content] : []));
	expect(pieces.join("")).toBe(whole);
	expect(pieces.length).toBe(3);
	expect(pieces.every((piece) => piece.length <= MAX_PIECE_CHARS && piece.isWellFormed())).toBe(true);
});

test("[AC21] a new message begins with another kind, another id of the agent, or after a tool; its id is ours", () => {
	const { events } = play([
		sent,
		thought("hm", "m"),
		text("a", "m"),
		text("b", "m"),
		text("c", "n"),
		tool(),
		toolUpdate({ status: "completed" }),
		text("d", "n"),
		answered,
	]);
	expect(events.flatMap((event) => ("content" in event && event.kind !== "tool-output" ? [[event.kind, event.content]] : []))).toEqual([
		["reasoning-delta", "hm"],
		["text-delta", "a"],
		["text-delta", "b"],
		["message-end", "ab"],
		["text-delta", "c"],
		["message-end", "c"],
		["text-delta", "d"],
		["message-end", "d"],
	]);
	expect(new Set(events.flatMap((event) => ("messageId" in event ? [event.messageId] : []))).size).toBe(3);
});

test("[AC22] a stop cancels, waits for the answer, and ends as aborted whatever the answer is; without one the process is ended", () => {
	const stops: TurnMachineInput[] = [
		answered,
		{ kind: "answered", stopReason: "cancelled", tokens: undefined },
		{ kind: "failed", error },
		{ kind: "gone", error },
	];
	for (const answer of stops) {
		const { end, did } = play([sent, text("a"), { kind: "stop" }, { kind: "stop" }, answer]);
		expect(end).toEqual({ kind: "turn-end", outcome: "aborted" });
		expect(did).toEqual(["limit-stop", "cancel"]);
	}
	expect(play([sent, { kind: "stop" }, { kind: "stop-overdue" }]).did).toEqual(["limit-stop", "cancel", "kill"]);
	expect(play([{ kind: "stop" }])).toMatchObject({ did: [], end: { outcome: "aborted" } });
});

test("[AC70] an agent that is gone ends its turn as interrupted, with the reason and all that it said", () => {
	const { end, events } = play([sent, text("half a"), { kind: "gone", error }]);
	expect(end).toMatchObject({ kind: "turn-end", outcome: "interrupted", error: { code: "agent-died", message: "gone" } });
	expect(events).toContainEqual(expect.objectContaining({ kind: "message-end", content: "half a" }));
});

test("[AC23] a stopped turn in which a tool of the agent is still open ends the process: its command may run on", () => {
	expect(play([sent, tool(), { kind: "stop" }, answered]).did).toContain("kill");
	expect(play([sent, tool(), toolUpdate({ status: "failed" }), { kind: "stop" }, answered]).did).not.toContain("kill");
});

test("[AC24] a turn that ends without a word and without a deed is told, unless the agent says that it was cancelled", () => {
	expect(play([sent, answered]).end).toMatchObject({
		outcome: "error",
		error: { code: "agent-protocol", params: { reason: "did-nothing" } },
	});
	expect(play([sent, { kind: "answered", stopReason: "cancelled", tokens: undefined }]).end).toEqual({
		kind: "turn-end",
		outcome: "completed",
	});
	expect(play([sent, text("x"), { kind: "answered", stopReason: "banana", tokens: undefined }]).end).toEqual({
		kind: "turn-end",
		outcome: "completed",
	});
});

test("[AC25] an error of the model that comes as an answer is an error, with the agent's words", () => {
	const codex = play([sent, text("401 Unauthorized"), { kind: "answered", stopReason: "end_turn", tokens: null }], { agent: "codex" });
	expect(codex.end).toMatchObject({ outcome: "error", error: { code: "provider-error", params: { detail: "401 Unauthorized." } } });
	const tagged = play([sent, text("Fine.", "m"), { kind: "answered", stopReason: "end_turn", tokens: null }], { agent: "codex" });
	expect(tagged.end).toMatchObject({ outcome: "completed" });
	expect(play([sent, text("Error: 429"), answered], { agent: "copilot-cli" }).end).toMatchObject({ outcome: "error" });
	expect(play([sent, text("Error: 429"), answered]).end).toMatchObject({ outcome: "completed" });
});

test("[AC26] tokens are those of the turn, also where the agent counts the session; cost is what this turn added", () => {
	const context = update({ sessionUpdate: "usage_update", used: 500, size: 1000, cost: { amount: 1.5, currency: "USD" } });
	const usageOf = (run: ReturnType<typeof play>) => run.events.find(({ kind }) => kind === "usage");
	expect(usageOf(play([sent, text("x"), context, answered], { earlier: { cost: 1 } }))).toEqual({
		...{ kind: "usage", inputTokens: 3, outputTokens: 4, model: "m" },
		...{ contextTokens: 500, contextLimit: 1000, cost: 0.5 },
	});
	expect(usageOf(play([sent, text("x"), context, answered], { earlier: { isNew: true } }))).toMatchObject({ cost: 1.5 });
	expect(usageOf(play([sent, text("x"), context, answered]))).not.toHaveProperty("cost");
	expect(usageOf(play([sent, text("x"), answered], { earlier: { isNew: true } }))).not.toHaveProperty("cost");
	const session = play([sent, text("x"), answered], { agent: "copilot-cli", earlier: { tokens: { input: 1, output: 1 } } });
	expect(usageOf(session)).toMatchObject({ inputTokens: 2, outputTokens: 3 });
	expect(session.state.usage.tokens).toEqual({ input: 3, output: 4 });
	expect(usageOf(play([sent, text("x"), { kind: "answered", stopReason: "end_turn", tokens: undefined }]))).toBeUndefined();
});

test("[AC27] plans and titles are handed on; an update that nobody knows changes nothing", () => {
	const plan = update({
		sessionUpdate: "plan",
		entries: [{ content: "one", status: "completed", priority: "high" }, { content: 7 }, { content: "two", status: "odd" }],
	});
	const odd = [update({ sessionUpdate: "telepathy" }), update({}), { kind: "update", update: readUpdate(null) } as const];
	const { events } = play([sent, plan, update({ sessionUpdate: "session_info_update", title: " A title " }), ...odd, answered]);
	expect(events.slice(0, 2)).toEqual([
		{
			kind: "plan",
			entries: [
				{ content: "one", status: "completed", priority: "high" },
				{ content: "two", status: "pending" },
			],
		},
		{ kind: "title", title: "A title" },
	]);
});

test.each([
	["refusal", "refusal"],
	["max_tokens", "max-tokens"],
	["max_turn_requests", "max-turn-requests"],
])("[AC320] %s is completed with a notice that stays, with words or without", (stopReason, reason) => {
	for (const said of [[text("Half an")], []]) {
		const { events, end } = play([sent, ...said, { kind: "answered", stopReason, tokens: undefined }]);
		expect(end).toEqual({ kind: "turn-end", outcome: "completed" });
		expect(events.at(-2)).toMatchObject({ kind: "notice", code: "answer-cut", params: { reason, name: "Agent" }, lasting: true });
	}
});
