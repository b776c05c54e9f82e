import { expect, onTestFinished, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import type { ConversationId } from "../kernel/ids.ts";
import { MAX_INBOX_ITEMS, MAX_SNOOZE_MS } from "./inbox.ts";
import type { InboxReason, InboxSource } from "./inbox-source.ts";
import { MAX_INBOX_MARKS } from "./marks.ts";

async function bed(config: Parameters<typeof createCoreBed>[0] = {}) {
	const core = await createCoreBed(config);
	onTestFinished(() => core.close());
	const { conversations, runtime, clock } = core;
	const kinds = () => conversations.inbox.list().map(({ kind }) => kind);
	async function run(outcome: "completed" | "aborted" | "error" | "interrupted" = "completed", error?: { code: string; message: string }) {
		const id = await core.begin();
		await again(id, outcome, error);
		return id;
	}
	async function again(
		id: ConversationId,
		outcome: "completed" | "aborted" | "error" | "interrupted",
		error?: { code: string; message: string },
	) {
		conversations.prompt({ conversationId: id, prompt: "Hello", origin: "web" });
		const turn = await runtime.nextTurn();
		turn.text("Hi.");
		turn.end(outcome, error);
		await clock.advance(1_000);
	}
	return { ...core, kinds, run, again };
}

test("[IN1] a question and a permission request wait until they are settled, with what can be answered", async () => {
	const core = await bed({ permissions: () => "ask" });
	const { conversations, runtime, clock, kinds } = core;
	const id = await core.begin();
	conversations.prompt({ conversationId: id, prompt: "Hello", origin: "web" });
	const turn = await runtime.nextTurn();
	const answered = turn.options.ask({ question: "Tea or\ncoffee?", choices: ["Tea", "Coffee"], allowFreeform: false }, turn.signal);
	await clock.advance(1_000);
	const permitted = turn.options.permit({ kind: "shell", summary: "rm -rf build" }, turn.signal);
	await clock.advance(1_000);
	const [question, permission] = conversations.inbox.list();
	expect(question).toMatchObject({ kind: "question", conversationId: id, why: "Tea or coffee?", question: { choices: ["Tea", "Coffee"] } });
	expect(permission).toMatchObject({ kind: "permission", why: "rm -rf build", permission: { kind: "shell" } });
	expect(Date.parse(permission?.since ?? "") - Date.parse(question?.since ?? "")).toBe(1_000);
	conversations.answer({ conversationId: id, requestId: question?.question?.requestId ?? "", answer: "Tea", by: "telegram" });
	expect(kinds()).toEqual(["permission"]);
	expect(await answered).toMatchObject({ answer: "Tea" });
	conversations.abort(id);
	await permitted;
	await clock.advance(1_000);
	expect(kinds()).toEqual([]);
});

test("[IN2] how a turn ended waits for somebody who looks; the next turn takes its place, and a stop leaves nothing", async () => {
	const { conversations, runtime, clock, kinds, run, again } = await bed();
	const id = await run("error", { code: "provider-error", message: "The provider said no." });
	expect(conversations.inbox.list()).toMatchObject([{ kind: "failed", conversationId: id, title: "Hello", why: "The provider said no." }]);
	conversations.prompt({ conversationId: id, prompt: "Again", origin: "web" });
	const turn = await runtime.nextTurn();
	expect(kinds()).toEqual([]);
	turn.end("completed");
	await clock.advance(1_000);
	expect(conversations.inbox.list()).toMatchObject([{ kind: "finished", why: "The answer is ready.", code: "turn-finished" }]);
	conversations.inbox.looked(id);
	expect(kinds()).toEqual([]);
	await again(id, "interrupted");
	expect(kinds()).toEqual(["interrupted"]);
	await again(id, "aborted");
	expect(kinds()).toEqual([]);
});

test("[IN2] what a finished turn changed in files is said", async () => {
	const core = await bed();
	const id = await core.begin();
	core.conversations.prompt({ conversationId: id, prompt: "Hello", origin: "web" });
	const turn = await core.runtime.nextTurn();
	core.tracker.answer = () => ({ files: 3, added: 5, removed: 1 });
	turn.end();
	await core.clock.advance(1_000);
	expect(core.conversations.inbox.list()).toMatchObject([{ kind: "finished", params: { reason: "changes", files: 3 } }]);
});

test("[IN3] what needs a person most comes first, the oldest first within a kind", async () => {
	const { conversations, run, clock } = await bed();
	const first = await run();
	await clock.advance(1_000);
	const second = await run();
	const failed = await run("error");
	conversations.inbox.addSource(
		sourceOf([reason("budget-1", { kind: "budget" }), reason("schedule-missed-1", { kind: "schedule-missed" })]),
	);
	const list = conversations.inbox.list();
	expect(list.map(({ kind }) => kind)).toEqual(["budget", "failed", "schedule-missed", "finished", "finished"]);
	expect(list.flatMap(({ conversationId }) => conversationId ?? [])).toEqual([failed, first, second]);
});

test("[IN4] after a crash what nobody saw is there, a turn that was cut off is interrupted, and its question is gone", async () => {
	const core = await bed();
	const finished = await core.run();
	const cut = await core.begin();
	core.conversations.prompt({ conversationId: cut, prompt: "Hello", origin: "web" });
	const turn = await core.runtime.nextTurn();
	void turn.options.ask({ question: "Really?", allowFreeform: true }, turn.signal);
	await core.clock.advance(1_000);
	expect(core.kinds()).toEqual(["question", "finished"]);
	const later = core.afterCrash();
	const list = later.conversations.inbox.list();
	expect(list.map(({ kind, conversationId }) => [kind, conversationId])).toEqual([
		["interrupted", cut],
		["finished", finished],
	]);
	later.conversations.inbox.looked(cut);
	expect(later.afterCrash().conversations.inbox.list()).toHaveLength(1);
});

test("[IN5] a queue that rests waits for a person, and one that waits for a slot does not", async () => {
	const { conversations, runtime, clock, kinds, begin } = await bed({ maxTurns: 1 });
	const id = await begin();
	const prompt = (content: string, to = id) => conversations.prompt({ conversationId: to, prompt: content, origin: "web" }).messageId;
	prompt("One");
	const turn = await runtime.nextTurn();
	const queued = prompt("Two");
	turn.end("error");
	await clock.advance(1_000);
	conversations.inbox.looked(id);
	expect(conversations.inbox.list()).toMatchObject([{ kind: "queue-resting", conversationId: id, params: { count: 1 } }]);
	const other = await begin();
	prompt("Three", other);
	const running = await runtime.nextTurn();
	conversations.sendQueuedNow(id, queued);
	expect(kinds()).toEqual([]);
	running.end();
	(await runtime.nextTurn()).end();
	await clock.advance(1_000);
	expect(kinds()).toEqual(["finished", "finished"]);
});

test("[IN6] a login that is needed stays when somebody looks, and is a failure when the login is there", async () => {
	const { conversations, runtime, kinds, run } = await bed();
	runtime.setHealth({ state: "login-needed", provider: "acp" });
	const id = await run("error", { code: "agent-login", message: "Log in first." });
	conversations.inbox.looked(id);
	expect(kinds()).toEqual(["login-needed"]);
	runtime.setHealth({ state: "ready", provider: "acp" });
	expect(kinds()).toEqual(["failed"]);
	conversations.inbox.looked(id);
	expect(kinds()).toEqual([]);
});

test("[IN7] what a source names is there for as long as it names it", async () => {
	const { conversations, clock } = await bed();
	const source = sourceOf([reason("schedule-missed-1", { kind: "schedule-missed", title: "Every morning" })]);
	conversations.inbox.addSource(source);
	const counts: number[] = [];
	conversations.inbox.onChange(({ items }) => counts.push(items.length));
	await clock.advance(1);
	expect(conversations.inbox.list()).toMatchObject([{ id: "schedule-missed-1", conversationId: null, title: "Every morning" }]);
	source.set([]);
	await clock.advance(1);
	expect(counts).toEqual([1, 0]);
});

test("[IN8] an archived and a deleted conversation leave nothing behind", async () => {
	const { conversations, kinds, run, store } = await bed();
	const [archived, deleted] = [await run(), await run()];
	await conversations.update(archived, { archived: true });
	await conversations.delete(deleted);
	expect(kinds()).toEqual([]);
	expect(store.inbox.findEnd(deleted)).toBeUndefined();
});

test("[IN20] what a page shows is in nobody's list, and is when the page goes without having said that it saw it", async () => {
	const { conversations, watched, clock, kinds, begin, again } = await bed();
	const id = await begin();
	watched.add(id);
	const counts: number[] = [];
	conversations.inbox.onChange(({ items }) => counts.push(items.length));
	await again(id, "completed");
	expect(kinds()).toEqual([]);
	watched.delete(id);
	conversations.inbox.refresh();
	await clock.advance(1);
	expect(kinds()).toEqual(["finished"]);
	watched.add(id);
	conversations.inbox.looked(id);
	watched.delete(id);
	await clock.advance(1);
	expect(kinds()).toEqual([]);
	expect(counts.filter((count, index) => count !== counts[index - 1])).toEqual([0, 1, 0]);
});

test("[IN20] an older answer in a chat says nothing about the newer one", async () => {
	const { conversations, kinds, store, run, again } = await bed();
	const id = await run();
	const older = store.inbox.findEnd(id)?.messageId;
	await again(id, "completed");
	conversations.inbox.looked(id, older);
	expect(kinds()).toEqual(["finished"]);
	conversations.inbox.looked(id, store.inbox.findEnd(id)?.messageId);
	expect(kinds()).toEqual([]);
});

test("[IN21] what was seen is gone for good; what an agent waits for stays; what is not there is refused", async () => {
	const core = await bed();
	const { inbox } = core.conversations;
	await core.run();
	inbox.addSource(sourceOf([reason("budget-1", { kind: "budget" }), reason("schedule-missed-1", { kind: "schedule-missed" })]));
	for (const { id } of inbox.list()) inbox.seen(id);
	expect(core.kinds()).toEqual(["budget"]);
	expect(() => inbox.seen("finished-nothing")).toThrow(/waits no longer/);
	const later = core.afterCrash().conversations.inbox;
	later.addSource(sourceOf([reason("schedule-missed-1", { kind: "schedule-missed" }), reason("schedule-missed-2")]));
	expect(later.list().map(({ id }) => id)).toEqual(["schedule-missed-2"]);
});

test("[IN22] what was put off comes back at its time, also after a crash, or when it is woken", async () => {
	const core = await bed();
	const { clock } = core;
	await core.run();
	const [item] = core.conversations.inbox.list();
	const id = item?.id ?? "";
	const { inbox } = core.conversations;
	for (const until of [clock.now(), Number.NaN, clock.now() + MAX_SNOOZE_MS + 1])
		expect(() => inbox.snooze(id, until)).toThrow(/still to come/);
	inbox.snooze(id, clock.now() + 60_000);
	expect(inbox.list()).toEqual([]);
	expect(inbox.snoozed()).toMatchObject([{ id, until: new Date(clock.now() + 60_000).toISOString() }]);
	inbox.wake(id);
	expect(inbox.list()).toHaveLength(1);
	inbox.snooze(id, clock.now() + 60_000);
	const later = core.afterCrash().conversations.inbox;
	later.refresh();
	await clock.advance(59_000);
	const counts: number[] = [];
	later.onChange(({ items }) => counts.push(items.length));
	expect(later.list()).toEqual([]);
	await clock.advance(1_000);
	expect(counts).toEqual([1]);
	expect(core.store.inbox.marks()).toEqual([]);
});

test("[IN30] everybody is told once per burst, and not when nothing came or went", async () => {
	const { conversations, clock, run } = await bed();
	await run();
	const changes: { added: number; gone: number }[] = [];
	conversations.inbox.onChange(({ added, gone }) => changes.push({ added: added.length, gone: gone.length }));
	conversations.inbox.refresh();
	await clock.advance(1);
	expect(changes).toEqual([]);
	for (const { id } of conversations.inbox.list()) conversations.inbox.seen(id);
	await conversations.create({});
	await clock.advance(1);
	expect(changes).toEqual([{ added: 0, gone: 1 }]);
});

test("[IN31] the list and what is remembered of it are bounded, and without our secrets", async () => {
	const { conversations, store } = await bed();
	const many = Array.from({ length: MAX_INBOX_ITEMS + 1 }, (_, index) => reason(`schedule-missed-${index}`, { why: "s3cret-value" }));
	conversations.inbox.addSource(sourceOf([...many, reason("budget-1", { kind: "budget", since: 9 })]));
	const list = conversations.inbox.list();
	expect(list).toHaveLength(MAX_INBOX_ITEMS);
	expect(list[0]?.id).toBe("budget-1");
	expect(JSON.stringify(list)).not.toContain("s3cret");
	for (let index = 0; index < MAX_INBOX_MARKS; index += 1) store.inbox.setMark({ itemId: `old-${index}`, seen: true, snoozedUntil: 0 });
	conversations.inbox.seen(list[1]?.id ?? "");
	const marks = store.inbox.marks();
	expect(marks).toHaveLength(MAX_INBOX_MARKS);
	expect(marks[0]?.itemId).toBe("old-1");
});

function reason(id: string, given: Partial<InboxReason> = {}): InboxReason {
	return { id, kind: "schedule-missed", conversationId: null, why: "Missed.", since: 1, ...given };
}

function sourceOf(first: readonly InboxReason[]): InboxSource & { set(reasons: readonly InboxReason[]): void } {
	let reasons = first;
	const listeners = new Set<() => void>();
	return {
		list: () => reasons,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		set(next) {
			reasons = next;
			for (const listener of listeners) listener();
		},
	};
}
