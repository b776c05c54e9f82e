import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import { isLogged } from "@rightseat/protocol/frames/server";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConversationId, messageId } from "../../packages/server/src/core/kernel/ids.ts";
import type { TurnEvent } from "../../packages/server/src/core/ports/agent-runtime.ts";
import { applyFrame, type ConversationFrame } from "../../packages/web/src/conversation/apply-frame.ts";
import { type ConversationView, emptyView } from "../../packages/web/src/conversation/conversation-view.ts";
import { type CoreBed, createCoreBed, type Watcher } from "../support/core.ts";
import type { ScriptedTurn } from "../support/scripted-runtime.ts";
import { SEED } from "../support/seed.ts";

const ids = fc.constantFrom("1", "2", "3");
const words = fc.constantFrom("one ", "two\n", "three", "半个字", "😀");

/** Anything an agent may say, in any order, also what makes no sense: an end of a tool that never began, output after the end. */
const agentEvent: fc.Arbitrary<TurnEvent> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("text-delta" as const), messageId: ids, content: words }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("reasoning-delta" as const), reasoningId: ids, content: words }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("message-end" as const), messageId: ids, content: words }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("message-reset" as const), messageId: ids, reasoningId: ids }) },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant("tool-start" as const),
			toolCallId: ids,
			toolName: fc.constant("Bash"),
			arguments: fc.anything({ maxDepth: 1 }),
			title: words,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record(
			{ kind: fc.constant("tool-diff" as const), toolCallId: ids, path: ids, oldText: words, newText: words },
			{ requiredKeys: ["kind", "toolCallId", "path", "newText"] },
		),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant("plan" as const),
			entries: fc.array(fc.record({ content: words, status: fc.constantFrom("pending" as const, "completed" as const) }), { maxLength: 3 }),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("title" as const), title: words }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("tool-output" as const), toolCallId: ids, content: words }) },
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant("tool-end" as const), toolCallId: ids, success: fc.constant(true), result: words }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant("tool-end" as const), toolCallId: ids, success: fc.constant(false), error: words }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant("usage" as const),
			inputTokens: fc.nat(9),
			outputTokens: fc.nat(9),
			model: fc.constant("model-a"),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("notice" as const), code: fc.constant("stalled"), message: words }) },
);

const step = fc.oneof(
	{ weight: 14, arbitrary: fc.record({ do: fc.constant("say" as const), event: agentEvent }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant("pause" as const), ms: fc.nat(3_000) }) },
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constant("prompt" as const), mode: fc.constantFrom("enqueue" as const, "immediate" as const) }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("drop" as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("ask" as const), answered: fc.boolean() }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant("command" as const) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant("output" as const), text: words }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("finish" as const) }) },
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constant("end" as const), outcome: fc.constantFrom("completed" as const, "error" as const) }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("abort" as const) }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant("look" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A page that follows: it applies every frame with the page's own code. */
class Page {
	view: ConversationView;
	private taken = 0;
	private watcher: Watcher;

	constructor(
		bed: CoreBed,
		private readonly id: ConversationId,
		private readonly mutate: (frame: ConversationFrame) => ConversationFrame,
	) {
		this.view = emptyView(id);
		this.watcher = bed.watch(id);
	}

	/** The connection broke and is there again. */
	reconnect(bed: CoreBed): void {
		this.receive();
		this.watcher.close();
		this.watcher = bed.watch(this.id, { epoch: this.view.epoch, lastSeq: this.view.lastSeq });
		this.taken = 0;
	}

	receive(): void {
		const frames = this.watcher.frames.slice(this.taken);
		this.taken = this.watcher.frames.length;
		for (const frame of frames) {
			const applied = applyFrame(this.view, this.mutate(asConversationFrame(frame)));
			if (applied.kind === "applied") this.view = applied.view;
			if (applied.kind === "resubscribe") throw new Error("A frame is missing.");
		}
	}
}

function asConversationFrame(frame: Watcher["frames"][number]): ConversationFrame {
	if (frame.type === "copilot:snapshot" || frame.type === "copilot:stream-status" || isLogged(frame)) return frame;
	throw new Error(`Not about a conversation: ${frame.type}`);
}

/** What a person sees. Jobs are no part of a snapshot; an error outside a turn is told once. */
function shown({ jobs: _jobs, error: _error, ...state }: ConversationState): Omit<ConversationState, "jobs" | "error"> {
	const { status, messages, turn, queue, questions, permissions, commands, context, usage } = state;
	return JSON.parse(JSON.stringify({ status, messages, turn, queue, questions, permissions, commands, context, usage }));
}

/** Plays the steps on the real core; whenever somebody looks, a page that watched, one that reconnected and one that was just opened show the same. */
async function check(steps: Step[], mutate: (frame: ConversationFrame) => ConversationFrame = (frame) => frame): Promise<void> {
	let bed = await createCoreBed({ permissions: () => "ask" });
	const id = await bed.begin();
	const watching = new Page(bed, id, mutate);
	const reconnecting = new Page(bed, id, mutate);
	let turn: ScriptedTurn | undefined;
	let count = 0;
	let finished = 0;
	async function settle(): Promise<void> {
		await bed.clock.advance(60);
		if (turn === undefined && bed.conversations.active().length > 0) turn = await bed.runtime.nextTurn();
	}
	async function look(): Promise<void> {
		await settle();
		watching.receive();
		reconnecting.reconnect(bed);
		reconnecting.receive();
		const opened = new Page(bed, id, (frame) => frame);
		opened.receive();
		expect(shown(watching.view)).toEqual(shown(opened.view));
		expect(shown(reconnecting.view)).toEqual(shown(opened.view));
	}
	for (const next of steps) {
		count += 1;
		switch (next.do) {
			case "say":
				turn?.emit(next.event);
				break;
			case "pause":
				await bed.clock.advance(next.ms);
				break;
			case "prompt":
				bed.conversations.prompt({ conversationId: id, prompt: `prompt ${count}`, origin: "web", mode: next.mode });
				await settle();
				break;
			case "drop": {
				const [item] = bed.conversations.queue(id);
				if (item !== undefined) bed.conversations.dropQueued(id, messageId(item.messageId));
				break;
			}
			case "ask": {
				if (turn === undefined) break;
				const signal = turn.signal;
				void turn.options.ask({ question: "Which?", choices: ["a", "b"], allowFreeform: true }, signal);
				await settle();
				const [question] = bed.conversations.pending(id).questions;
				if (next.answered && question !== undefined)
					bed.conversations.answer({ conversationId: id, requestId: question.requestId, answer: "a", by: "telegram" });
				break;
			}
			case "command":
				if (bed.shell.commands.length - finished >= 6) break;
				bed.conversations.exec({ conversationId: id, command: `echo ${count}`, origin: "web" });
				break;
			case "output":
				bed.shell.commands.at(-1)?.output(next.text);
				break;
			case "finish":
				bed.shell.commands.at(finished)?.finish();
				finished = Math.min(finished + 1, bed.shell.commands.length);
				break;
			case "end":
			case "abort":
				if (next.do === "end") turn?.end(next.outcome, next.outcome === "error" ? { code: "provider-error", message: "No." } : undefined);
				else bed.conversations.abort(id);
				turn = undefined;
				await settle();
				break;
			case "crash":
				bed = bed.afterCrash();
				finished = 0;
				turn = undefined;
				watching.reconnect(bed);
				reconnecting.reconnect(bed);
				break;
			case "look":
				await look();
				break;
		}
	}
	await look();
	await bed.close();
}

const property = (mutate?: (frame: ConversationFrame) => ConversationFrame) =>
	fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: "max" }), (steps) => check(steps, mutate));

test("[EV150] a page that watched, one that reconnected and one that was just opened show the same, whatever was said and done", async () => {
	await fc.assert(property(), { numRuns: 150, seed: SEED });
}, 180_000);

describe("the test bites", () => {
	const mutants: Record<string, (frame: ConversationFrame) => ConversationFrame> = {
		"a page keeps an old notice while the answer goes on": (frame) =>
			frame.type === "copilot:delta"
				? { ...frame, type: "copilot:notice", data: { ...frame.data, code: "stalled", message: "Still." } }
				: frame,
		"a page times tools itself": (frame) =>
			frame.type === "copilot:tool_end" ? { ...frame, data: { ...frame.data, durationMs: 7 } } : frame,
		"a page keeps an old plan": (frame) =>
			frame.type === "copilot:plan" ? { ...frame, type: "copilot:reset", data: { ...frame.data, messageId: "none" } } : frame,
		"a page dates answers itself": (frame) =>
			frame.type === "copilot:idle" ? { ...frame, data: { ...frame.data, createdAt: "2000-01-01T00:00:00.000Z" } } : frame,
	};
	for (const [name, mutate] of Object.entries(mutants)) {
		test(`[EV150] it fails when ${name}`, async () => {
			const details = await fc.check(property(mutate), { numRuns: 300, endOnFailure: true, seed: SEED });
			expect(details.failed).toBe(true);
		}, 180_000);
	}
});
