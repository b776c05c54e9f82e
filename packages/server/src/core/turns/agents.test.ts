import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { createScriptedRuntime, type ScriptedRuntime } from "../../../../../test/support/scripted-runtime.ts";
import { loadSqlite } from "../../store/sqlite/sqlite-loader.ts";
import { temporaryHome } from "../../store/store-harness.ts";
import { type ConversationId, conversationId, messageId } from "../kernel/ids.ts";
import { MAX_HISTORY_CHARS } from "./lost-history.ts";

let bed: CoreBed;
let other: ScriptedRuntime;
beforeEach(async () => {
	other = createScriptedRuntime();
	other.sessionPrefix = "their-";
	bed = await createCoreBed({ defaultModel: () => "model-b" }, { path: ":memory:" }, { other });
});
afterEach(() => bed.close());

const beginWith = async (agent: string) => conversationId((await bed.conversations.create({ agent })).id);

async function answer(id: ConversationId, runtime: ScriptedRuntime, prompt = "Hello", text = "Hi"): Promise<string> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	const turn = await runtime.nextTurn();
	turn.text(text);
	turn.end();
	await bed.clock.advance(100);
	return turn.input.prompt;
}

test("[AG1] two conversations with two agents each have their own session; the agent stands in the list and in the export", async () => {
	const ours = await bed.begin();
	const theirs = await beginWith("other");
	await answer(ours, bed.runtime);
	await answer(theirs, other);
	expect(bed.runtime.opened.map(({ sessionId }) => sessionId)).toEqual([ours]);
	expect(other.opened.map(({ sessionId }) => sessionId)).toEqual([theirs]);
	const listed = bed.conversations.list().conversations.map(({ id, agent }) => ({ id, agent }));
	expect(listed).toEqual(
		expect.arrayContaining([
			{ id: ours, agent: "copilot" },
			{ id: theirs, agent: "other" },
		]),
	);
	expect([...bed.conversations.export(theirs, "markdown")].join("")).toContain("Agent: other · Model: model-a · Directory");
	expect([...bed.conversations.export(ours, "markdown")].join("")).not.toContain("Agent: copilot");
	expect(JSON.parse([...bed.conversations.export(theirs, "json")].join(""))).toMatchObject({ conversation: { agent: "other" } });
});

test("[AG1] an unknown agent is refused and nothing is stored; a deleted conversation's history goes where it is", async () => {
	await expect(bed.conversations.create({ agent: "nobody" })).rejects.toMatchObject({ code: "unknown-agent", params: { agent: "nobody" } });
	expect(bed.conversations.list().conversations).toEqual([]);
	const id = await beginWith("other");
	await answer(id, other);
	const deleted = bed.conversations.delete(id);
	await bed.clock.advance(100);
	await deleted;
	expect({ theirs: other.deleted, ours: bed.runtime.deleted }).toEqual({ theirs: ["their-1"], ours: [] });
});

test("[AG3] the configured default model is Copilot's alone, and a model is looked for among the agent's", async () => {
	const ours = await bed.begin();
	const theirs = await beginWith("other");
	expect([bed.conversations.get(ours).model, bed.conversations.get(theirs).model]).toEqual(["model-b", "model-a"]);
	other.models = "unlisted";
	expect(await bed.conversations.update(theirs, { model: "whatever" })).toMatchObject({ model: "whatever" });
	await expect(bed.conversations.update(ours, { model: "whatever" })).rejects.toMatchObject({ code: "unknown-model" });
	other.able = { ...other.able, models: false };
	await expect(bed.conversations.update(theirs, { model: "more" })).rejects.toMatchObject({
		code: "unknown-model",
		params: { reason: "no-choice", agent: "other" },
	});
});

test("[AG3] the agent's own choice is never replaced; a model that is gone is replaced by it, and told", async () => {
	const listed = await other.listModels();
	other.listModels = async () => ({ ...listed, state: "listed", default: "" });
	const id = await beginWith("other");
	const watcher = bed.watch(id);
	await answer(id, other);
	expect(other.opened.at(-1)?.model).toBe("");
	expect(watcher.of("copilot:notice")).toEqual([]);
	const stored = bed.conversations.messages(id, { limit: 5 }).messages.at(-1);
	expect(stored?.metadata).not.toHaveProperty("model");
	await bed.conversations.release(id);
	bed.store.conversations.update(id, { model: "gone" });
	await answer(id, other);
	expect(watcher.of("copilot:notice")).toMatchObject([{ code: "model-replaced", params: { reason: "own-choice", model: "gone" } }]);
	expect(bed.conversations.get(id).model).toBe("");
});

test("[AG5] a conversation whose agent is gone stays readable, a prompt says so, and the agent that comes back answers the next", async () => {
	const id = await beginWith("other");
	await answer(id, other, "Remember the tide", "High at noon");
	const without = bed.afterCrash({});
	const watcher = without.watch(id);
	expect(without.conversations.messages(id, { limit: 10 }).messages).toHaveLength(2);
	expect(await without.conversations.search("noon")).toHaveLength(1);
	expect([...without.conversations.export(id, "markdown")].join("")).toContain("High at noon");
	without.conversations.prompt({ conversationId: id, prompt: "And now?", origin: "web" });
	await without.clock.advance(100);
	expect(watcher.of("copilot:error")).toMatchObject([{ code: "unknown-agent", params: { agent: "other" }, retryable: true }]);
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "error" }]);

	const back = without.afterCrash({ other });
	back.conversations.prompt({ conversationId: id, prompt: "And now?", origin: "web" });
	(await other.nextTurn()).end();
	await back.clock.advance(100);
	expect(back.conversations.get(id).status).toBe("completed");
	const last = back.afterCrash({});
	const deleted = last.conversations.delete(id);
	await last.clock.advance(100);
	await deleted;
	expect(last.conversations.find(id)).toBeUndefined();
	bed = last;
});

test("[AG5] a crash in the middle of a turn is settled without the agent, and what was queued waits for it", async () => {
	const id = await beginWith("other");
	bed.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	(await other.nextTurn()).text("The first half");
	bed.conversations.prompt({ conversationId: id, prompt: "Two", origin: "web" });
	await bed.clock.advance(100);
	const without = bed.afterCrash({});
	const stored = without.conversations.messages(id, { limit: 10 }).messages.find(({ role }) => role === "assistant");
	expect(stored).toMatchObject({ content: "The first half", metadata: { outcome: "interrupted" } });
	expect(without.conversations.queue(id).map(({ content }) => content)).toEqual(["Two"]);
	const back = without.afterCrash({ other });
	back.conversations.sendQueuedNow(id, messageId(back.conversations.queue(id)[0]?.messageId ?? ""));
	expect((await other.nextTurn()).input.prompt).toContain("The first half");
	bed = back;
});

test("[AG10] the agent's own id of a session is stored before the first turn, and the next session is opened with it", async () => {
	const id = await beginWith("other");
	const open = other.holdNextOpen();
	bed.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	await bed.clock.advance(10);
	expect(bed.conversations.get(id).sdkSessionId).toBeNull();
	open();
	const turn = await other.nextTurn();
	expect(bed.store.conversations.find(id)?.sdkSessionId).toBe("their-1");
	turn.end();
	await bed.clock.advance(100);
	const next = bed.afterCrash();
	next.conversations.prompt({ conversationId: id, prompt: "Two", origin: "web" });
	(await other.nextTurn()).end();
	await next.clock.advance(100);
	expect(other.opened.map(({ sessionId, previous }) => ({ sessionId, previous }))).toEqual([
		{ sessionId: id, previous: null },
		{ sessionId: id, previous: "their-1" },
	]);
	bed = next;
});

test("[AG10] no turn runs in a session whose id is not durable", async () => {
	const id = await beginWith("other");
	const order: string[] = [];
	const { durable } = bed.store;
	const { openSession } = other;
	other.openSession = async (options) => {
		const session = await openSession(options);
		order.push("open");
		Object.assign(bed.store, {
			durable: async () => {
				await durable();
				order.push(`durable ${bed.store.conversations.find(id)?.sdkSessionId}`);
			},
		});
		return session;
	};
	bed.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	const turn = await other.nextTurn();
	expect(order).toEqual(["open", "durable their-1"]);
	turn.end();
});

test("[AG11] another program that has the database while a session opens is waited for", async () => {
	const { path } = temporaryHome();
	const onDisk = await createCoreBed({}, { path });
	const id = await onDisk.begin();
	const watcher = onDisk.watch(id);
	const open = onDisk.runtime.holdNextOpen();
	onDisk.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	await onDisk.clock.advance(10);
	const foreign = new (loadSqlite().module.DatabaseSync)(path);
	foreign.exec("BEGIN IMMEDIATE");
	open();
	await onDisk.clock.advance(3_000);
	foreign.exec("ROLLBACK");
	foreign.close();
	await onDisk.clock.advance(2_000);
	(await onDisk.runtime.nextTurn()).end();
	await onDisk.clock.advance(2_000);
	await onDisk.store.durable();
	expect(watcher.of("copilot:idle")).toMatchObject([{ outcome: "completed" }]);
	expect(onDisk.conversations.get(id).sdkSessionId).toBe(id);
	await onDisk.close();
});

test("[AG12] an agent that lost its history is given the newest messages with the prompt, until it has answered, and people are told", async () => {
	const id = await beginWith("other");
	await answer(id, other, "The tide is high at noon", "Noted");
	await bed.conversations.release(id);
	const watcher = bed.watch(id);
	other.loseNextHistory();
	bed.conversations.prompt({ conversationId: id, prompt: "When is the tide high?", origin: "web" });
	const failing = await other.nextTurn();
	const told =
		"[You have lost the history of this conversation. It ended with:]\nPerson: The tide is high at noon\n\nYou: Noted\n[End of the history. The message of now:]\n\nWhen is the tide high?";
	expect(failing.input).toMatchObject({ prompt: told, displayPrompt: "When is the tide high?" });
	failing.end("error", { code: "provider-error", message: "No." });
	await bed.clock.advance(100);
	expect(watcher.of("copilot:notice")).toMatchObject([{ code: "history-lost", params: { reason: "told", name: "other" } }]);
	expect(await answer(id, other, "Again")).toContain("The tide is high at noon");
	expect(await answer(id, other, "And then?")).toBe("And then?");
	expect(bed.conversations.get(id).sdkSessionId).toBe("their-2");
});

test("[AG12] of a long history the newest is kept; where the agent never said anything nothing is lost", async () => {
	const long = await beginWith("other");
	await answer(long, other, "first words", "x".repeat(MAX_HISTORY_CHARS));
	await answer(long, other, "last words", "the end");
	await bed.conversations.release(long);
	other.loseNextHistory();
	const prompt = await answer(long, other, "Go on");
	expect(prompt).toContain("Person: last words\n\nYou: the end\n[End");
	expect(prompt).not.toContain("first words");
	expect(prompt.length).toBeLessThan(MAX_HISTORY_CHARS + 200);

	const fresh = await beginWith("other");
	bed.conversations.prompt({ conversationId: fresh, prompt: "One", origin: "web" });
	(await other.nextTurn()).end("error", { code: "provider-error", message: "No." });
	await bed.clock.advance(100);
	const watcher = bed.watch(fresh);
	other.loseNextHistory();
	expect(await answer(fresh, other, "Two")).toBe("Two");
	expect(watcher.of("copilot:notice")).toEqual([]);
});

test("[AG250] an agent whose process ended between two turns, and its history with it, is given the messages with the next prompt", async () => {
	const { openSession } = other;
	let ended = false;
	other.openSession = async (options) => {
		const session = await openSession(options);
		return Object.defineProperties(session, {
			sessionId: { get: () => (ended ? "their-9" : "their-1") },
			opened: { get: () => (ended ? "lost" : "new") },
			reopen: {
				value: async () => {
					ended = true;
				},
			},
		});
	};
	const id = await beginWith("other");
	await answer(id, other, "The tide is high at noon", "Noted");
	const watcher = bed.watch(id);
	expect(await answer(id, other, "When?")).toContain("Person: The tide is high at noon\n\nYou: Noted");
	expect(watcher.of("copilot:notice")).toMatchObject([{ code: "history-lost" }]);
	expect(bed.conversations.get(id).sdkSessionId).toBe("their-9");
	expect(await answer(id, other, "And then?")).toBe("And then?");
});

test("[AG13] a prompt for a running turn of an agent that cannot be steered is queued, also one that was queued before", async () => {
	other.able = { ...other.able, steer: false };
	const id = await beginWith("other");
	bed.conversations.prompt({ conversationId: id, prompt: "One", origin: "web" });
	const turn = await other.nextTurn();
	turn.text("so far");
	await bed.clock.advance(100);
	const now = bed.conversations.prompt({ conversationId: id, prompt: "Also", origin: "web", mode: "immediate" });
	expect(now.delivery).toBe("queued");
	const first = bed.conversations.prompt({ conversationId: id, prompt: "First", origin: "web" });
	bed.conversations.sendQueuedNow(id, first.messageId);
	expect(bed.conversations.queue(id).map(({ content }) => content)).toEqual(["First", "Also"]);
	expect(turn.steered).toEqual([]);
	turn.end();
	await bed.clock.advance(100);
	expect((await other.nextTurn()).input.displayPrompt).toBe("First");
});
