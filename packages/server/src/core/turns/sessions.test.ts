import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../test/support/core.ts";
import { conversationId } from "../kernel/ids.ts";
import { SESSION_IDLE_MS } from "./held-sessions.ts";

let bed: CoreBed;
beforeEach(async () => {
	bed = await createCoreBed();
});
afterEach(() => bed.close());

const say = (prompt: string) => ({ prompt, origin: "web" as const });

test("[CV15] the first prompt opens a session with the conversation's model and directory and stores its id", async () => {
	const created = await bed.conversations.create({ model: "model-b", cwd: "/project" });
	expect(created.sdkSessionId).toBeNull();
	const id = conversationId(created.id);
	bed.conversations.prompt({ conversationId: id, ...say("Hello") });
	await bed.runtime.nextTurn();
	expect(bed.runtime.opened).toMatchObject([{ sessionId: id, model: "model-b", cwd: "/project" }]);
	expect(bed.conversations.get(id).sdkSessionId).toBe(id);
});

test("[CV16] later prompts use the same session; after a restart the stored id is opened again", async () => {
	const id = await bed.begin();
	for (const prompt of ["One", "Two"]) {
		bed.conversations.prompt({ conversationId: id, ...say(prompt) });
		(await bed.runtime.nextTurn()).end();
		await bed.clock.advance(100);
	}
	expect(bed.runtime.opened).toHaveLength(1);
	const next = bed.afterCrash();
	next.conversations.prompt({ conversationId: id, ...say("Three") });
	(await next.runtime.nextTurn()).end();
	await next.clock.advance(100);
	expect(next.runtime.opened.map((session) => session.sessionId)).toEqual([id]);
});

test("[CV17] an idle session is let go and comes back with the next prompt", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("One") });
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(SESSION_IDLE_MS + 1_000);
	expect(bed.runtime.closed).toEqual([id]);
	bed.conversations.prompt({ conversationId: id, ...say("Two") });
	await bed.runtime.nextTurn();
	expect(bed.runtime.opened).toHaveLength(2);
});

test("[PG785] a session that was opened for another account is opened anew with the next prompt, and not before", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("One") });
	const running = await bed.runtime.nextTurn();
	bed.runtime.outdate();
	expect(bed.runtime.closed).toEqual([]);
	running.end();
	await bed.clock.advance(100);
	for (const prompt of ["Two", "Three"]) {
		bed.conversations.prompt({ conversationId: id, ...say(prompt) });
		(await bed.runtime.nextTurn()).end();
		await bed.clock.advance(100);
	}
	expect([bed.runtime.closed, bed.runtime.opened.length]).toEqual([[id], 2]);
});

test("[CV18] another model is passed to the open session and keeps the history", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("One") });
	(await bed.runtime.nextTurn()).end();
	await bed.clock.advance(100);
	expect(await bed.conversations.update(id, { model: "model-b" })).toMatchObject({ model: "model-b" });
	expect(bed.runtime.modelChanges).toEqual([{ sessionId: id, model: "model-b" }]);
});

test("[CV222] an unknown model is refused, and nothing changes", async () => {
	const id = await bed.begin();
	const { model } = bed.conversations.get(id);
	await expect(bed.conversations.update(id, { model: "nope" })).rejects.toMatchObject({ code: "unknown-model" });
	await expect(bed.conversations.create({ model: "nope" })).rejects.toMatchObject({ code: "unknown-model" });
	expect([bed.conversations.get(id).model, bed.runtime.modelChanges]).toEqual([model, []]);
	expect(bed.conversations.list().conversations).toHaveLength(1);
});

test("[CV24] a conversation whose model is not there any more goes on with the default one and says so", async () => {
	const id = await bed.begin();
	bed.store.conversations.update(id, { model: "gone" });
	const watcher = bed.watch(id);
	bed.conversations.prompt({ conversationId: id, ...say("Hello") });
	await bed.runtime.nextTurn();
	await bed.clock.advance(100);
	expect(bed.runtime.opened).toMatchObject([{ model: "model-a" }]);
	expect(watcher.of("copilot:notice")).toMatchObject([{ code: "model-replaced" }]);
	expect(bed.conversations.get(id).model).toBe("model-a");
});

test.each(["unlisted", "rejects"] as const)(
	"[RT101] a model list that cannot be had (%s) changes no conversation's model",
	async (models) => {
		const id = conversationId((await bed.conversations.create({ model: "model-b" })).id);
		bed.runtime.models = models;
		const watcher = bed.watch(id);
		bed.conversations.prompt({ conversationId: id, ...say("Hello") });
		(await bed.runtime.nextTurn()).end();
		await bed.clock.advance(100);
		expect(bed.runtime.opened).toMatchObject([{ model: "model-b" }]);
		expect(watcher.of("copilot:notice")).toEqual([]);
		expect(bed.conversations.get(id).model).toBe("model-b");
	},
);

test("[RT102] while the provider names no models, a person may still choose one by its name", async () => {
	const id = await bed.begin();
	bed.runtime.models = "unlisted";
	expect(await bed.conversations.update(id, { model: "known-to-me" })).toMatchObject({ model: "known-to-me" });
	expect(await bed.conversations.create({ model: "known-to-me" })).toMatchObject({ model: "known-to-me" });
});

test("[CV19] a conversation cannot be made in a directory that does not exist", async () => {
	await expect(bed.conversations.create({ cwd: "/missing" })).rejects.toMatchObject({ code: "cwd-missing" });
	expect(bed.conversations.list().conversations).toEqual([]);
});

test("[CV20] a deleted conversation stops its turn and is gone everywhere", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("One") });
	const turn = await bed.runtime.nextTurn();
	const deleting = bed.conversations.delete(id);
	await bed.clock.advance(100);
	await deleting;
	expect(turn.signal.aborted).toBe(true);
	expect(bed.conversations.find(id)).toBeUndefined();
	expect(bed.runtime.deleted).toEqual([id]);
	expect(bed.shell.forgotten).toEqual([id]);
});

test("[CV21] the title comes from the first prompt, unless a person gave one", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("  Fix the\nlogin page  ") });
	expect(bed.conversations.get(id).title).toBe("Fix the login page");
	await bed.conversations.update(id, { title: "Login" });
	expect(bed.conversations.get(id).title).toBe("Login");
});

test("[CV22] an export holds every message, as Markdown or as JSON", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("Show ```code```") });
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: { command: "ls" } });
	turn.emit({ kind: "tool-end", toolCallId: "t1", success: true, result: "a ``` b" });
	turn.text("Here");
	turn.end();
	await bed.clock.advance(100);
	const markdown = [...bed.conversations.export(id, "markdown")].join("");
	expect(markdown).toContain("Show ```code```");
	expect(markdown).toContain('````text\nBash {"command":"ls"}\na ``` b\n````');
	expect(markdown).toContain("Here");
	const json = JSON.parse([...bed.conversations.export(id, "json")].join(""));
	expect(json.messages).toHaveLength(2);
	expect(json.conversation.id).toBe(id);
});

test("[CV23] the next prompt after an interrupted answer reminds the agent of what people saw", async () => {
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, ...say("One") });
	const turn = await bed.runtime.nextTurn();
	turn.text("The first half");
	turn.end("interrupted", { code: "runtime-died", message: "It died." });
	await bed.clock.advance(100);
	bed.conversations.prompt({ conversationId: id, ...say("Continue") });
	expect((await bed.runtime.nextTurn()).input).toMatchObject({
		prompt: "[Your previous answer was interrupted. It ended with:]\nThe first half\n\nContinue",
		displayPrompt: "Continue",
	});
});

test("[CV140] a session that is still opening when its conversation is deleted is closed, and nothing of the agent stays behind", async () => {
	const id = await bed.begin();
	const open = bed.runtime.holdNextOpen();
	bed.conversations.prompt({ conversationId: id, ...say("Hello") });
	await bed.clock.advance(10);
	expect(bed.runtime.opened).toHaveLength(1);
	await bed.conversations.delete(id);
	expect(bed.runtime.deleted).toEqual([id]);
	open();
	await bed.clock.advance(10);
	expect(bed.runtime.closed).toEqual([id]);
	// The second time: what the runtime wrote after the first.
	expect(bed.runtime.deleted).toEqual([id, id]);
});

test("[CV141] a prompt after a stop waits for the session that is still opening and uses it, instead of opening a second one", async () => {
	const id = await bed.begin();
	const open = bed.runtime.holdNextOpen();
	bed.conversations.prompt({ conversationId: id, ...say("One") });
	await bed.clock.advance(10);
	bed.conversations.abort(id);
	await bed.clock.advance(10);
	bed.conversations.prompt({ conversationId: id, ...say("Two") });
	await bed.clock.advance(10);
	open();
	expect((await bed.runtime.nextTurn()).input.prompt).toBe("Two");
	expect(bed.runtime.opened).toHaveLength(1);
	expect(bed.runtime.closed).toEqual([]);
});
