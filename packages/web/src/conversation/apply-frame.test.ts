import { MAX_COMMAND_OUTPUT_CHARS } from "@rightseat/protocol/fold/conversation";
import { MAX_TOOL_OUTPUT_CHARS } from "@rightseat/protocol/fold/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CONVERSATION, createScript, EPOCH, NOW, snapshot, subscribed } from "../testing/frames.ts";
import { applyFrame, type ConversationFrame } from "./apply-frame.ts";
import { type ConversationView, emptyView } from "./conversation-view.ts";

function play(frames: readonly ConversationFrame[], from: ConversationView = started()): ConversationView {
	let view = from;
	for (const frame of frames) {
		const result = applyFrame(view, frame);
		if (result.kind === "applied") view = result.view;
	}
	return view;
}

function started(): ConversationView {
	const result = applyFrame(emptyView(CONVERSATION), snapshot());
	if (result.kind !== "applied") throw new Error("A snapshot always applies.");
	return result.view;
}

test("[PG10] the next event applies, an earlier one is dropped, a gap and another epoch ask for a new subscription", () => {
	const script = createScript();
	const [first, second, third] = [script.user({ messageId: "u1" }), script.begin(), script.delta("m1", "x")];
	const view = play([first]);
	expect(applyFrame(view, first).kind).toBe("dropped");
	expect(applyFrame(view, third).kind).toBe("resubscribe");
	expect(applyFrame(view, second).kind).toBe("applied");
	expect(applyFrame(view, createScript("e2", 1).delta("m1", "x")).kind).toBe("resubscribe");
	expect(applyFrame(view, subscribed("delta", "e2")).kind).toBe("resubscribe");
});

test("[WS105] an event of an unknown type changes nothing but the position; out of place it is treated like any other", () => {
	const script = createScript();
	const view = play([script.user({ messageId: "u1" })]);
	const unknown = (seq: number, epoch = EPOCH) =>
		applyFrame(view, { type: "unknown-event", data: { conversationId: CONVERSATION, epoch, seq } });
	expect(unknown(view.lastSeq + 1)).toEqual({ kind: "applied", view: { ...view, lastSeq: view.lastSeq + 1 } });
	expect([unknown(view.lastSeq).kind, unknown(view.lastSeq + 2).kind, unknown(view.lastSeq + 1, "e2").kind]).toEqual([
		"dropped",
		"resubscribe",
		"resubscribe",
	]);
});

test("[PG331] until the snapshot has come the screen keeps what it shows", () => {
	const view = play([createScript().user({ messageId: "u1", content: "keep me" })]);
	expect(applyFrame(view, subscribed("snapshot", "e2"))).toEqual({ kind: "dropped" });
	const after = play([snapshot({ epoch: "e2", seq: 9, messages: view.messages.slice() })], view);
	expect([after.epoch, after.lastSeq, after.messages.length]).toEqual(["e2", 9, 1]);
});

test("[PG331] a snapshot keeps older messages that were loaded and join it without a gap", () => {
	const message = (id: string) => ({
		id,
		role: "user" as const,
		content: id,
		metadata: { origin: "web" as const },
		createdAt: new Date(NOW).toISOString(),
	});
	const view: ConversationView = { ...started(), messages: ["1", "2", "3"].map(message), olderCursor: "1" };
	const joined = play([snapshot({ seq: 5, messages: ["3", "4"].map(message), nextCursor: "3" })], view);
	expect([joined.messages.map((item) => item.id), joined.olderCursor]).toEqual([["1", "2", "3", "4"], "1"]);
	const apart = play([snapshot({ seq: 5, messages: ["7", "8"].map(message), nextCursor: "7" })], view);
	expect([apart.messages.map((item) => item.id), apart.olderCursor]).toEqual([["7", "8"], "7"]);
});

test("[PG11] however often the stream is cut, repeated and resumed, the view is the undisturbed one", () => {
	const full = () => {
		const script = createScript();
		const frames: ConversationFrame[] = [script.user({ messageId: "u1" }), script.begin(), script.reasoning("hm"), script.reasoning("m")];
		for (let index = 0; index < 12; index++) frames.push(script.delta("m1", `w${index} `));
		frames.push(
			script.toolStart("t1"),
			script.toolOutput("t1", "out"),
			script.toolEnd("t1"),
			script.delta("m2", "again"),
			script.reset("m2"),
		);
		frames.push(
			script.delta("m3", "final"),
			script.message("m3", "final text"),
			script.question("q1"),
			script.answered("q1"),
			script.idle(),
		);
		return frames;
	};
	const frames = full();
	const whole = play(frames);
	const disturbance = fc.array(fc.record({ drop: fc.nat(6), repeat: fc.nat(8) }), { maxLength: 25, size: "max" });
	fc.assert(
		fc.property(disturbance, (steps) => {
			let view = started();
			for (const { drop, repeat } of steps) {
				// A cut loses some frames and the server sends again from the client's position, with some it knows already.
				const from = Math.max(0, view.lastSeq - repeat);
				for (const frame of frames.slice(from, view.lastSeq + drop)) {
					const result = applyFrame(view, frame);
					if (result.kind === "applied") view = result.view;
				}
			}
			expect(play(frames, view)).toEqual(whole);
		}),
		{ numRuns: 300 },
	);
});

test("[PG12] a turn becomes a message at its end, with its parts, tools and outcome", () => {
	const script = createScript();
	const view = play([
		script.user({ messageId: "u1" }),
		script.begin(),
		script.reasoning("think"),
		script.delta("m1", "Hel"),
		script.delta("m1", "lo"),
		script.toolStart("t1"),
		script.toolEnd("t1"),
		script.delta("m2", "lost"),
		script.reset("m2"),
		script.delta("m3", "Bye"),
		script.idle("a1", "aborted"),
	]);
	const answer = view.messages.at(-1);
	expect(view.turn).toBeUndefined();
	expect(view.status).toBe("completed");
	expect(answer).toMatchObject({ id: "a1", role: "assistant", content: "Hello\n\nBye", metadata: { outcome: "aborted", inReplyTo: "u1" } });
	expect(answer?.role === "assistant" && answer.metadata.parts.map((part) => part.kind)).toEqual(["reasoning", "text", "tool", "text"]);
});

test("[PG12] a failed turn keeps its text and its error", () => {
	const script = createScript();
	const view = play([
		script.user({ messageId: "u1" }),
		script.begin(),
		script.delta("m1", "part"),
		script.error("Try later."),
		script.idle("a1", "error"),
	]);
	expect(view.status).toBe("error");
	expect(view.messages.at(-1)).toMatchObject({
		content: "part",
		metadata: { outcome: "error", error: { message: "Try later.", retryable: true } },
	});
});

test("[PG12] an answer given elsewhere ends the question here", () => {
	const script = createScript();
	const asked = play([script.user({ messageId: "u1" }), script.begin(), script.question("q1")]);
	expect(asked.questions).toHaveLength(1);
	const done = play([script.answered("q1")], asked);
	expect(done.questions).toEqual([]);
	expect(done.turn?.asks).toMatchObject([{ outcome: "answered", answer: "A", by: "telegram" }]);
});

test("[PG13] a queued prompt waits outside the transcript and stands at its end when it is taken up", () => {
	const script = createScript();
	const queued = { origin: "web", delivery: "queued" } as const;
	const waiting = play([
		script.user({ messageId: "u1" }),
		script.begin(),
		script.user({ messageId: "u2", content: "next", metadata: queued }),
		script.queue([{ messageId: "u2", content: "next" }]),
	]);
	expect([waiting.messages.map((item) => item.id), waiting.queue.map((item) => item.messageId)]).toEqual([["u1"], ["u2"]]);
	const taken = play(
		[
			script.idle(),
			script.begin("a2", "u2"),
			script.updated({ messageId: "u2", content: "next", metadata: { origin: "web", delivery: "taken" } }),
			script.queue([]),
		],
		waiting,
	);
	expect([taken.messages.map((item) => item.id), taken.queue]).toEqual([["u1", "a1", "u2"], []]);
});

test("[PG13] a queued prompt that only a snapshot named is taken up too, and a steered one joins the turn", () => {
	const script = createScript(EPOCH, 5);
	const view = play([snapshot({ seq: 5, queue: [{ messageId: "u9", content: "later" }] })]);
	const taken = play(
		[script.begin("a9", "u9"), script.updated({ messageId: "u9", content: "later", metadata: { origin: "web", delivery: "taken" } })],
		view,
	);
	expect(taken.messages.map((item) => item.id)).toEqual(["u9"]);
	const steered = play([script.user({ messageId: "u10", metadata: { origin: "web", delivery: "steered" } })], taken);
	expect(steered.turn?.parts).toEqual([{ kind: "steer", messageId: "u10" }]);
	const back = play([script.updated({ messageId: "u10", content: "hi", metadata: { origin: "web", delivery: "queued" } })], steered);
	expect([back.messages.map((item) => item.id), back.turn?.parts]).toEqual([["u9"], []]);
});

test("[CV108] a prompt that could not be steered in is not drawn in the answer, even if that had ended before", () => {
	const script = createScript();
	const ended = play([
		script.begin("a1", "u1"),
		script.user({ messageId: "u2", metadata: { origin: "web", delivery: "steered" } }),
		script.idle("a1"),
	]);
	expect(ended.messages.at(-1)).toMatchObject({ id: "a1", metadata: { parts: [{ kind: "steer", messageId: "u2" }] } });
	const back = play([script.updated({ messageId: "u2", content: "hi", metadata: { origin: "web", delivery: "queued" } })], ended);
	expect(back.messages.map((item) => item.id)).toEqual(["a1"]);
	expect(back.messages.at(-1)).toMatchObject({ metadata: { parts: [] } });
});

test("[PG12] a command's card passes to its stored message without a moment in between", () => {
	const script = createScript();
	const running = play([script.bashStart("x1"), script.bashOutput("x1", "a\n")]);
	expect(running.commands).toMatchObject([{ execId: "x1", output: "a\n" }]);
	const ended = play([script.bashDone("x1", "u5")], running);
	expect(ended.commands).toMatchObject([{ execId: "x1", done: { exitCode: 0 } }]);
	const stored = play([script.user({ messageId: "u5", metadata: { origin: "web", bash: true, execId: "x1" } })], ended);
	expect([stored.commands, stored.messages.map((item) => item.id)]).toEqual([[], ["u5"]]);
});

test("[PG12] live output of tools and commands is bounded", () => {
	const script = createScript();
	const big = "x".repeat(50_000);
	const view = play([
		script.begin(),
		script.toolStart("t1"),
		script.toolOutput("t1", big),
		script.toolOutput("t1", big),
		script.bashStart("x1"),
		script.bashOutput("x1", big),
		script.bashOutput("x1", big),
	]);
	expect(view.turn?.tools[0]?.output?.length).toBe(MAX_TOOL_OUTPUT_CHARS);
	expect(view.commands[0]?.output.length).toBe(MAX_COMMAND_OUTPUT_CHARS);
});
