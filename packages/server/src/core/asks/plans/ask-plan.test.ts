import { MAX_TURN_PLAN_CHARS } from "@rightseat/protocol/fold/asks";
import { MAX_PLAN_CHARS } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../../test/support/scripted-runtime.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import { MAX_PLAN_BYTES, PLAN_WAIT_MS } from "./ask-plan.ts";

let bed: CoreBed;
let id: ConversationId;
let turn: ScriptedTurn;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	bed.store.conversations.update(id, { mode: "plan" });
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	turn = await bed.runtime.nextTurn();
});
afterEach(() => bed.close());

const ACTIONS = ["autopilot", "interactive", "exit_only"];
const ask = (plan = "# Plan", summary = "Do it") => turn.options.askPlan({ summary, plan, actions: ACTIONS }, new AbortController().signal);
const requestOf = (): string => bed.conversations.pending(id).plans[0]?.requestId ?? "";

test("[MD1] a plan goes to every reader, the first decision wins, and the mode that goes with it is stored at once", async () => {
	const [one, two] = [bed.watch(id), bed.watch(id)];
	const decided = ask();
	await bed.clock.advance(10);
	const [request] = one.of("copilot:plan_request");
	expect(request).toMatchObject({ summary: "Do it", plan: "# Plan", actions: ACTIONS, expiresAt: expect.any(String) });
	expect(two.of("copilot:plan_request")).toEqual([request]);
	expect(bed.conversations.get(id)).toMatchObject({ asking: true, mode: "plan" });
	expect(bed.conversations.inbox.list()).toMatchObject([{ kind: "plan", conversationId: id, why: "Do it", plan: { plan: "# Plan" } }]);
	const { requestId } = request ?? { requestId: "" };
	bed.conversations.decidePlan({ requestId, approved: true, action: "autopilot", plan: "# Better", by: "telegram" });
	expect(bed.store.conversations.find(id)?.mode).toBe("autopilot");
	expect(() => bed.conversations.decidePlan({ conversationId: id, requestId, approved: false, by: "web" })).toThrow(
		expect.objectContaining({ code: "request-not-found" }),
	);
	await expect(decided).resolves.toEqual({ approved: true, action: "autopilot", plan: "# Better" });
	await bed.clock.advance(10);
	expect(two.of("copilot:plan_resolved")).toMatchObject([
		{ requestId, outcome: "answered", approved: true, action: "autopilot", plan: "# Better", by: "telegram" },
	]);
	const snapshot = bed.watch(id).of("copilot:snapshot")[0];
	expect(snapshot?.turn?.asks).toMatchObject([{ kind: "plan", text: "Do it", plan: "# Better", approved: true, answer: "autopilot" }]);
	expect(bed.conversations.inbox.list()).toEqual([]);
});

test("[MD2] a plan that is sent back carries the person's words and leaves the mode; an action nobody offered, or too long a plan, decides nothing", async () => {
	const watcher = bed.watch(id);
	const decided = ask();
	await bed.clock.advance(10);
	const response = { conversationId: id, requestId: requestOf(), by: "web" as const };
	for (const wrong of [{ action: "allow-all" }, { plan: "x".repeat(MAX_PLAN_CHARS) }]) {
		expect(() => bed.conversations.decidePlan({ ...response, approved: true, ...wrong })).toThrow(
			expect.objectContaining({ code: "bad-request" }),
		);
	}
	bed.conversations.decidePlan({ ...response, approved: false, feedback: "Use tabs", plan: "ignored", action: "autopilot" });
	await expect(decided).resolves.toEqual({ approved: false, feedback: "Use tabs" });
	await bed.clock.advance(10);
	expect(watcher.of("copilot:plan_resolved")).toEqual([
		expect.objectContaining({ outcome: "answered", approved: false, feedback: "Use tabs", by: "web" }),
	]);
	expect(watcher.of("copilot:plan_resolved")[0]).not.toHaveProperty("plan");
	expect(bed.conversations.get(id)).toMatchObject({ mode: "plan", asking: false });
});

test("[MD3] a plan waits for a day, is withdrawn with its turn, and after a crash the mode is what it was", async () => {
	const watcher = bed.watch(id);
	const expired = ask();
	await bed.clock.advance(600_000);
	const [item] = bed.conversations.inbox.list();
	expect(item).toMatchObject({ kind: "plan", since: new Date(bed.clock.now() - 600_000).toISOString() });
	await bed.clock.advance(PLAN_WAIT_MS - 600_000);
	await expect(expired).resolves.toMatchObject({ approved: false, feedback: expect.stringContaining("Nobody looked"), isUnanswered: true });
	const crashed = ask();
	await bed.clock.advance(10);
	const after = bed.afterCrash();
	const events = after.watch(id, { epoch: bed.store.conversations.find(id)?.epoch, lastSeq: 0 });
	expect(events.of("copilot:plan_resolved")).toMatchObject([{ outcome: "expired" }, { outcome: "aborted" }]);
	expect(after.conversations.get(id)).toMatchObject({ mode: "plan", asking: false });
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	await expect(crashed).resolves.toMatchObject({ approved: false });
	expect(watcher.of("copilot:notice")).toEqual([]);
});

test("[MD5] a decision that the disk refuses and the mode that goes with it are stored together, before the agent hears of it", async () => {
	const watcher = bed.watch(id);
	const changes: string[] = [];
	bed.conversations.onChange((change) => change.kind === "updated" && changes.push(change.conversation.mode));
	const decided = ask();
	await bed.clock.advance(10);
	const { transaction } = bed.store;
	bed.store.transaction = () => {
		throw new AppError("storage-read-only", "The disk is full.", { retryable: true });
	};
	bed.conversations.decidePlan({ requestId: requestOf(), approved: true, action: "autopilot", by: "web" });
	await bed.clock.advance(5_000);
	expect([bed.store.conversations.find(id)?.mode, watcher.of("copilot:plan_resolved")], "a crash now finds neither").toEqual(["plan", []]);
	expect(new Set(changes)).toEqual(new Set(["plan"]));
	bed.store.transaction = transaction;
	await bed.clock.advance(2_000);
	await expect(decided).resolves.toMatchObject({ approved: true });
	expect([bed.store.conversations.find(id)?.mode, changes.at(-1)]).toEqual(["autopilot", "autopilot"]);
	expect(watcher.of("copilot:plan_resolved")).toMatchObject([{ approved: true, action: "autopilot" }]);
});

test("[MD4] a plan is shown whole or sent back, one waits at a time, and what a turn keeps of its plans is bounded", async () => {
	const watcher = bed.watch(id);
	await expect(ask("x".repeat(MAX_PLAN_CHARS), "y")).resolves.toMatchObject({ approved: false });
	await expect(ask("\u0000".repeat(Math.ceil(MAX_PLAN_BYTES / 6)))).resolves.toMatchObject({ approved: false });
	await bed.clock.advance(10);
	expect(watcher.of("copilot:notice").map(({ code }) => code)).toEqual(["plan-too-long", "plan-too-long"]);
	const longest = "字".repeat(MAX_PLAN_CHARS - 5);
	for (let n = 0; n < 3; n += 1) {
		const decided = ask(longest);
		await expect(ask("another")).resolves.toMatchObject({ approved: false, feedback: expect.stringContaining("Another plan") });
		await bed.clock.advance(10);
		expect(bed.watch(id).of("copilot:snapshot")[0]?.plans?.[0]?.plan).toBe(longest);
		bed.conversations.decidePlan({ requestId: requestOf(), approved: false, by: "web" });
		await decided;
	}
	bed.conversations.abort(id);
	await bed.clock.advance(100);
	const message = watcherMessage();
	expect(message?.metadata.asks?.map(({ plan }) => plan?.length)).toEqual([undefined, longest.length, longest.length]);
	expect(2 * longest.length).toBeLessThanOrEqual(MAX_TURN_PLAN_CHARS);
});

function watcherMessage() {
	const message = bed.store.messages.page(id, { limit: 1 }).messages[0];
	return message?.role === "assistant" ? message : undefined;
}
