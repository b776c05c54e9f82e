import { clientFrameSchema } from "@rightseat/protocol/frames/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { AppError } from "../kernel/errors.ts";
import { conversationId, messageId } from "../kernel/ids.ts";
import { answerFrame, isAnswerable } from "./answer-frame.ts";

let core: CoreBed;
beforeEach(async () => {
	core = await createCoreBed();
});
afterEach(() => core.close());

const WHO = { origin: "telegram", from: "Ann (7)" } as const;

function answer(value: unknown) {
	const frame = clientFrameSchema.parse(value);
	if (!isAnswerable(frame)) throw new AppError("unknown-type", frame.type);
	return answerFrame({ conversations: core.conversations, jobs: core.shell, tellsDelivery: true }, frame, WHO);
}

test("[FL180] a frame is carried out for whoever asks, with its answer at once: a prompt, a command, the queue, what runs", async () => {
	const id = await core.begin();
	const ack = answer({ type: "copilot:send", data: { conversationId: id, prompt: "hello", clientMessageId: "m1" } });
	const epoch = core.conversations.get(id).epoch;
	expect(ack).toEqual({
		type: "copilot:ack",
		data: { conversationId: id, clientMessageId: "m1", epoch, messageId: expect.any(String), delivery: "started" },
	});
	expect(answer({ type: "copilot:send", data: { conversationId: id, prompt: "hello", clientMessageId: "m1" } })).toMatchObject({
		data: { duplicate: true },
	});
	expect(answer({ type: "copilot:status" })).toEqual({ type: "copilot:active-streams", data: { conversationIds: [id] } });
	void answer({ type: "copilot:send", data: { conversationId: id, prompt: "next", clientMessageId: "m2" } });
	const [queued] = core.conversations.queue(id);
	expect(
		answer({ type: "copilot:queue_edit", data: { conversationId: id, messageId: queued?.messageId, content: "other" } }),
	).toBeUndefined();
	expect(core.conversations.queue(id)).toMatchObject([{ content: "other" }]);
	expect(answer({ type: "bash:exec", data: { conversationId: id, command: "ls" } })).toMatchObject({ type: "copilot:ack" });
	expect(answer({ type: "bash:jobs", data: { conversationId: id } })).toEqual({ type: "bash:jobs", data: { jobs: [] } });
	const { messages } = core.conversations.messages(id, { limit: 10 });
	expect(messages[0]).toMatchObject({ metadata: { origin: "telegram" } });
});

test("[FL180] a refusal is thrown with its code, and nothing was done", () => {
	const nobody = { conversationId: "nobody", prompt: "x" };
	expect(() => answer({ type: "copilot:send", data: nobody })).toThrow(expect.objectContaining({ code: "conversation-not-found" }));
	expect(() => answer({ type: "bash:kill", data: { execId: "x" } })).toThrow(expect.objectContaining({ code: "exec-not-found" }));
	expect(() => answer({ type: "bash:exec", data: { command: "ls" } })).toThrow(expect.objectContaining({ code: "bad-frame" }));
	expect(() => answer({ type: "copilot:abort" })).toThrow(expect.objectContaining({ code: "bad-frame" }));
	expect(() => answer({ type: "presence:set", data: { visible: true } })).toThrow("presence:set");
});

test("[SA62] one sub-agent can be stopped while it works; after that, without a turn, or of another conversation it is refused and nothing is done", async () => {
	const id = await core.begin();
	const stop = async (agentId: string, where: string = id) =>
		answer({ type: "copilot:subagent_stop", data: { conversationId: where, agentId } });
	const refusal = { code: "not-running", params: { reason: "sub-agent" } };
	core.runtime.subAgents.add("a1");
	await expect(stop("a1")).rejects.toMatchObject(refusal);
	core.conversations.prompt({ conversationId: id, prompt: "x", origin: "web" });
	const turn = await core.runtime.nextTurn();
	await expect(stop("a1", "nobody")).rejects.toMatchObject({ code: "conversation-not-found" });
	await expect(stop("a2")).rejects.toMatchObject(refusal);
	await expect(stop("a1")).resolves.toBeUndefined();
	await expect(stop("a1")).rejects.toMatchObject(refusal);
	expect([core.conversations.active(), turn.signal.aborted]).toEqual([[id], false]);
	turn.end();
});

test("[FL181] a stop that names its turn stops no other", async () => {
	const id = await core.begin();
	const watcher = core.watch(id);
	core.conversations.prompt({ conversationId: id, prompt: "x", origin: "web" });
	const turn = watcher.of("copilot:stream-status").findLast((status) => status.turn !== undefined)?.turn;
	void answer({ type: "copilot:abort", data: { conversationId: id, messageId: "an-earlier-turn" } });
	expect(core.conversations.abort(conversationId(id), messageId("an-earlier-turn"))).toBe(false);
	expect(core.conversations.active()).toEqual([id]);
	void answer({ type: "copilot:abort", data: { conversationId: id, messageId: turn?.messageId } });
	await core.clock.advance(10_000);
	expect(core.conversations.active()).toEqual([]);
});
