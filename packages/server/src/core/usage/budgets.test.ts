import type { DayBudget } from "@rightseat/protocol/http/budget";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed, type Watcher } from "../../../../../test/support/core.ts";
import type { ScriptedTurn } from "../../../../../test/support/scripted-runtime.ts";
import type { ConversationId } from "../kernel/ids.ts";

let bed: CoreBed;
let id: ConversationId;
let watcher: Watcher;
beforeEach(async () => {
	bed = await createCoreBed();
	id = await bed.begin();
	watcher = bed.watch(id);
});
afterEach(() => bed.close());

const used = (inputTokens: number, outputTokens: number, cost?: number) =>
	({ kind: "usage", inputTokens, outputTokens, model: "model-a", ...(cost === undefined ? {} : { cost }) }) as const;
const prompt = (on: ConversationId = id, text = "Go") => bed.conversations.prompt({ conversationId: on, prompt: text, origin: "web" });

/** The turn that begins now. */
async function next(): Promise<ScriptedTurn> {
	await bed.clock.advance(10);
	return bed.runtime.nextTurn();
}
/** A whole turn that uses so much. */
async function spend(tokens: number, on: ConversationId = id, cost?: number): Promise<void> {
	prompt(on);
	const turn = await next();
	turn.emit(used(tokens - 1, 1, cost));
	turn.end();
	await bed.clock.advance(100);
}
/** A prompt that is held, and what people are asked. */
async function held(on: ConversationId = id, of: Watcher = watcher) {
	prompt(on);
	await bed.clock.advance(100);
	return of.of("copilot:budget_request").at(-1);
}
const limitTo = (budget: { tokens?: number; cost?: number } | null) => bed.conversations.update(id, { budget });
const decide = (requestId: string | undefined, decision: "once" | "raise" | "stop", limit?: number) =>
	bed.conversations.decideBudget({ requestId: requestId ?? "", decision, by: "telegram", ...(limit === undefined ? {} : { limit }) });
const begun = () => bed.runtime.opened.length;
const permit = (turn: ScriptedTurn) =>
	turn.options.permit({ kind: "write", summary: "Write a", toolName: "edit" }, new AbortController().signal);

test("[US22] [US30] at a limit the next turn waits for a person, however long, and everybody sees the request", async () => {
	await limitTo({ tokens: 100 });
	await spend(100);
	const before = begun();
	const request = await held();
	expect(request).toMatchObject({ used: 100, limit: 100, scope: "conversation", unit: "tokens" });
	await bed.clock.advance(3_600_000 * 30);
	expect(begun()).toBe(before);
	expect(watcher.of("copilot:budget_resolved")).toEqual([]);
	expect(bed.conversations.get(id).asking).toBe(true);
	expect(bed.conversations.pending(id).budgets).toEqual([expect.objectContaining({ requestId: request?.requestId })]);
	const late = bed.watch(id);
	expect(late.of("copilot:snapshot")[0]?.budgets).toMatchObject([{ requestId: request?.requestId, used: 100, limit: 100 }]);
});

test("[US24] once lets this turn go on to its end, whatever it uses, and the next one asks again", async () => {
	await limitTo({ tokens: 100 });
	await spend(100);
	const request = await held();
	decide(request?.requestId, "once");
	const turn = await next();
	turn.emit(used(500, 1));
	const allowed = permit(turn);
	await bed.clock.advance(10);
	await expect(allowed).resolves.toEqual({ kind: "approve-once" });
	turn.end();
	await bed.clock.advance(100);
	expect(watcher.of("copilot:budget_resolved")).toMatchObject([{ outcome: "answered", decision: "once", by: "telegram" }]);
	const answer = bed.conversations.messages(id, { limit: 10 }).messages.at(-1);
	expect(answer?.metadata).toMatchObject({
		asks: [{ kind: "budget", outcome: "answered", answer: "once", by: "telegram", reached: { used: 100, limit: 100 } }],
	});
	expect(await held()).toMatchObject({ used: 601, limit: 100 });
});

test("[US25] raise sets the limit to what was given or by as much again; one that is used up is refused and the request stays", async () => {
	await limitTo({ tokens: 100 });
	await spend(120);
	const request = await held();
	expect(() => decide(request?.requestId, "raise", 120)).toThrow(expect.objectContaining({ code: "bad-request" }));
	expect(bed.conversations.pending(id).budgets).toHaveLength(1);
	decide(request?.requestId, "raise", 130);
	const turn = await next();
	expect(bed.conversations.get(id).budget).toEqual({ tokens: 130 });
	turn.emit(used(9, 1));
	turn.end();
	await bed.clock.advance(100);
	decide((await held())?.requestId, "raise");
	(await next()).end();
	await bed.clock.advance(100);
	expect(bed.conversations.get(id).budget).toEqual({ tokens: 260 });
	expect(watcher.of("copilot:budget_resolved")).toMatchObject([
		{ decision: "raise", limit: 130 },
		{ decision: "raise", limit: 260 },
	]);
});

test("[US26] [US28] stop ends the turn as stopped by a person; a second answer is told that it is settled", async () => {
	await limitTo({ tokens: 10 });
	await spend(10);
	const before = begun();
	const request = await held();
	decide(request?.requestId, "stop");
	await bed.clock.advance(100);
	expect(begun()).toBe(before);
	expect(watcher.of("copilot:idle").at(-1)).toMatchObject({ outcome: "aborted" });
	expect(() => decide(request?.requestId, "once")).toThrow(expect.objectContaining({ code: "request-not-found" }));
});

test("[US23] within a turn what the agent wants next waits at the limit, asked once; stop runs none of it", async () => {
	await limitTo({ tokens: 100 });
	prompt();
	const turn = await next();
	turn.emit(used(99, 1));
	const [first, second] = [permit(turn), permit(turn)];
	const tool = turn.options.tools[0]?.run({}, { toolCallId: "t", signal: new AbortController().signal, output: () => undefined });
	await bed.clock.advance(100);
	const requests = watcher.of("copilot:budget_request");
	expect(requests).toMatchObject([{ used: 100, limit: 100 }]);
	let over = 0;
	for (const waits of [first, second, tool]) void Promise.resolve(waits).then(() => (over += 1));
	await bed.clock.advance(100);
	expect(over).toBe(0);
	decide(requests[0]?.requestId, "stop");
	await bed.clock.advance(100);
	await expect(first).resolves.toMatchObject({ kind: "reject" });
	await expect(second).resolves.toMatchObject({ kind: "reject" });
	await tool;
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "aborted" }]);
});

test("[US23] an answer to a question and a prompt that is steered in wait as well, and go on when a person lets them", async () => {
	await limitTo({ tokens: 100 });
	prompt();
	const turn = await next();
	const answer = turn.options.ask({ question: "Which?", allowFreeform: true }, new AbortController().signal);
	turn.emit(used(99, 1));
	await bed.clock.advance(10);
	bed.conversations.answer({
		conversationId: id,
		requestId: watcher.of("copilot:user_input_request")[0]?.requestId ?? "",
		answer: "red",
		by: "web",
	});
	bed.conversations.prompt({ conversationId: id, prompt: "And this", origin: "web", mode: "immediate" });
	await bed.clock.advance(100);
	expect(turn.steered).toEqual([]);
	decide(watcher.of("copilot:budget_request")[0]?.requestId, "once");
	await bed.clock.advance(100);
	await expect(answer).resolves.toMatchObject({ answer: "red" });
	expect(turn.steered).toMatchObject([{ displayPrompt: "And this" }]);
	expect(watcher.of("copilot:budget_request")).toHaveLength(1);
});

test("[US23] a steered prompt that waits when its turn ends is asked about as a turn of its own, and nothing is lost", async () => {
	await limitTo({ tokens: 100 });
	prompt();
	const turn = await next();
	turn.emit(used(99, 1));
	await bed.clock.advance(10);
	bed.conversations.prompt({ conversationId: id, prompt: "And this", origin: "web", mode: "immediate" });
	await bed.clock.advance(100);
	turn.end();
	await bed.clock.advance(100);
	const requests = watcher.of("copilot:budget_request");
	expect(watcher.of("copilot:budget_resolved")).toMatchObject([{ requestId: requests[0]?.requestId, outcome: "aborted" }]);
	expect(requests).toHaveLength(2);
	decide(requests[1]?.requestId, "once");
	expect((await next()).input.displayPrompt).toBe("And this");
});

test("[US27] raising or clearing a limit frees what waits for it in every conversation; lowering one frees nothing", async () => {
	const other = await bed.begin();
	const theirs = bed.watch(other);
	bed.conversations.setDayBudget({ tokensPerDay: 100 });
	await limitTo({ tokens: 100 });
	await spend(100);
	await held(other, theirs);
	await held();
	bed.conversations.setDayBudget({ tokensPerDay: 50 });
	await bed.clock.advance(100);
	expect([...watcher.of("copilot:budget_resolved"), ...theirs.of("copilot:budget_resolved")]).toEqual([]);
	bed.conversations.setDayBudget({});
	expect((await next()).sessionId).toBe(other);
	expect(theirs.of("copilot:budget_resolved")).toMatchObject([{ outcome: "answered", decision: "raise" }]);
	expect(watcher.of("copilot:budget_resolved")).toEqual([]);
	await limitTo(null);
	expect((await next()).sessionId).toBe(id);
	expect(bed.conversations.get(id).budget).toBeNull();
});

test("[US29] a new day frees what waited for the limit of the day before", async () => {
	bed.conversations.setDayBudget({ tokensPerDay: 100 });
	await spend(100);
	expect(await held()).toMatchObject({ scope: "day", used: 100 });
	bed.clock.jump(86_400_000);
	await bed.clock.advance(60_000);
	expect(watcher.of("copilot:budget_resolved")).toMatchObject([{ outcome: "expired" }]);
	await next();
});

test("[US20] [US28] a crash settles the request and runs nothing; both limits are still there", async () => {
	const day: DayBudget = { tokensPerDay: 1_000, costPerDay: 2.5 };
	bed.conversations.setDayBudget(day);
	await limitTo({ tokens: 100, cost: 1 });
	await spend(100);
	await held();
	bed = bed.afterCrash();
	const after = bed.watch(id);
	expect(bed.runtime.opened).toEqual([]);
	expect(bed.conversations.dayBudget()).toEqual(day);
	expect(bed.conversations.get(id)).toMatchObject({ budget: { tokens: 100, cost: 1 }, asking: false });
	const answer = bed.conversations.messages(id, { limit: 10 }).messages.at(-1);
	expect(answer?.metadata).toMatchObject({ outcome: "interrupted", asks: [{ kind: "budget", outcome: "aborted" }] });
	prompt();
	await bed.clock.advance(100);
	expect(after.of("copilot:budget_request")).toMatchObject([{ used: 100, limit: 100 }]);
	await bed.conversations.update(id, { budget: {} });
	await next();
	expect(bed.conversations.get(id).budget).toBeNull();
});

test("[US21] people are warned once when four fifths of a limit are used, by cost as well, and it stays with the answer", async () => {
	await limitTo({ tokens: 100, cost: 10 });
	const warnings = () => watcher.of("copilot:notice").filter(({ code }) => code === "budget-warning");
	await spend(79);
	expect(warnings()).toEqual([]);
	await spend(1);
	expect(warnings()).toMatchObject([{ params: { reason: "conversation-tokens", used: 80, limit: 100 }, lasting: true }]);
	const answer = bed.conversations.messages(id, { limit: 10 }).messages.at(-1);
	expect(answer?.metadata).toMatchObject({ notices: [{ code: "budget-warning" }] });
	await spend(10);
	expect(warnings()).toHaveLength(1);
	await limitTo({ cost: 10 });
	await spend(1, id, 8);
	expect(warnings()[1]).toMatchObject({ params: { reason: "conversation-cost", used: 8, limit: 10 } });
});

test("[US31] at a limit no model is asked for a title", async () => {
	await bed.close();
	bed = await createCoreBed({ titles: () => true });
	const questions: string[] = [];
	bed.runtime.aside = async (question) => {
		questions.push(question);
		return "A title";
	};
	const [limited, free] = [await bed.begin(), await bed.begin()];
	await bed.conversations.update(limited, { budget: { tokens: 10 } });
	await spend(10, limited);
	await spend(10, free);
	await bed.clock.advance(60_000);
	expect([questions.length, bed.conversations.get(limited).title, bed.conversations.get(free).title]).toEqual([1, "Go", "A title"]);
});

test("[US25] the turn whose limit was raised is held again at the new one", async () => {
	await limitTo({ tokens: 100 });
	await spend(100);
	decide((await held())?.requestId, "raise", 150);
	const turn = await next();
	turn.emit(used(59, 1));
	const wanted = permit(turn);
	await bed.clock.advance(100);
	expect(watcher.of("copilot:budget_request").at(-1)).toMatchObject({ used: 160, limit: 150 });
	decide(watcher.of("copilot:budget_request").at(-1)?.requestId, "stop");
	await bed.clock.advance(100);
	await expect(wanted).resolves.toMatchObject({ kind: "reject" });
});
