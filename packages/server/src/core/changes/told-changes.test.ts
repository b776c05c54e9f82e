import { expect, test } from "vitest";
import { createCoreBed } from "../../../../../test/support/core.ts";
import { aChange } from "../../../../../test/support/scripted-tracker.ts";
import { MAX_NOTED_FILES } from "./undone-notes.ts";
import { createUntoldChanges, MAX_UNTOLD } from "./untold-changes.ts";

test("[CG11] a turn and a command that a crash cut have their changes told at the start, once, and stand on their messages", async () => {
	const first = await createCoreBed();
	const id = await first.begin();
	first.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	const turn = await first.runtime.nextTurn();
	turn.text("Half");
	const { execId } = first.conversations.exec({ conversationId: id, command: "make", origin: "web" });
	await first.clock.advance(100);
	first.tracker.recalls = (changeId) => ({
		change: aChange({ id: changeId, messageId: changeId, kind: changeId === execId ? "command" : "turn" }),
		undoes: [],
	});
	const second = first.afterCrash();
	const watcher = second.watch(id);
	await second.clock.advance(100);
	const { messages } = second.conversations.messages(id, { limit: 10 });
	const counts = { files: 1, added: 2, removed: 1 };
	const withChanges = messages.filter(({ metadata }) => metadata.changes !== undefined);
	expect(withChanges.map(({ id: message, metadata }) => [message, metadata.changes])).toEqual(
		withChanges.map(({ id: message }) => [message, { changeId: message, ...counts }]),
	);
	expect(withChanges.map(({ role }) => role).sort()).toEqual(["assistant", "user"]);
	expect(watcher.of("copilot:changes").map(({ messageId }) => messageId)).toEqual(withChanges.map((message) => message.id));
	const third = second.afterCrash();
	const later = third.watch(id);
	await third.clock.advance(100);
	expect(later.of("copilot:changes")).toEqual([]);
	await third.close();
});

test("[CG11] an undo that was done and not told is told at the start", async () => {
	const first = await createCoreBed();
	const id = await first.begin();
	const metadata = { outcome: "completed", tools: [], parts: [], changes: { changeId: "g1", files: 1, added: 1, removed: 0 } };
	first.store.messages.addMessage(id, { role: "assistant", content: "", metadata });
	const answer = first.conversations.messages(id, { limit: 1 }).messages[0]?.id ?? "";
	let undoId = "";
	first.tracker.undo = ({ newChangeId }) => {
		undoId = newChangeId;
		return new Promise(() => undefined);
	};
	void first.conversations.changes.undo(id, { changeIds: ["g1"], kind: "undo" });
	await first.clock.advance(100);
	first.tracker.recalls = (changeId) => ({
		change: aChange({ id: changeId, kind: "undo", unfinished: true }),
		undoes: [{ changeId: "g1", messageId: answer, undone: true }],
	});
	const second = first.afterCrash();
	const watcher = second.watch(id);
	await second.clock.advance(100);
	expect(watcher.of("copilot:changes")).toMatchObject([{ changeId: undoId, kind: "undo" }]);
	expect(second.conversations.messages(id, { limit: 1 }).messages[0]?.metadata.changes).toMatchObject({ undone: true });
	await second.close();
});

test("[CG11] what the recorder does not know is not asked for again", async () => {
	const first = await createCoreBed();
	const id = await first.begin();
	first.conversations.exec({ conversationId: id, command: "make", origin: "web" });
	let asked = 0;
	first.tracker.recalls = () => {
		asked += 1;
		return undefined;
	};
	const second = first.afterCrash();
	await second.clock.advance(100);
	const third = second.afterCrash();
	await third.clock.advance(100);
	expect(asked).toBe(1);
	await third.close();
});

test("[CG12] the next prompt tells the agent what was undone, once; a turn that failed before it said anything gives that back", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	bed.tracker.undoes = ({ newChangeId, kind }) => ({
		files: [
			{ path: "a.ts", result: "restored" },
			{ path: "b.ts", result: "merged" },
			{ path: "c.ts", result: "skipped", reason: "same-lines" },
		],
		change: aChange({ id: newChangeId, kind }),
		undoes: [],
	});
	await bed.conversations.changes.undo(id, { changeIds: ["g1"], kind: "undo" });
	const undone =
		"[The user has undone changes. These files are as they were before them; read them again before you edit them:]\na.ts\nb.ts (merged with what was edited since)";
	async function promptOf(text: string, end: "completed" | "error") {
		bed.conversations.prompt({ conversationId: id, prompt: text, origin: "web" });
		const turn = await bed.runtime.nextTurn();
		if (end === "completed") turn.text("ok");
		turn.end(end, { code: "provider-error", message: "no" });
		await bed.clock.advance(100);
		return turn.input.prompt;
	}
	expect(await promptOf("one", "error")).toBe(`${undone}\n\none`);
	expect(await promptOf("two", "completed")).toBe(`${undone}\n\ntwo`);
	expect(await promptOf("three", "completed")).toBe("three");
	const files = Array.from({ length: MAX_NOTED_FILES + 7 }, (_, n) => ({ path: `${n}.ts`, result: "restored" as const }));
	bed.tracker.undoes = ({ newChangeId, kind }) => ({ files, change: aChange({ id: newChangeId, kind }), undoes: [] });
	await bed.conversations.changes.undo(id, { changeIds: ["g1"], kind: "redo" });
	const told = await promptOf("four", "completed");
	expect(told).toMatch(/^\[The user has brought back changes/);
	expect(told.split("\n")).toHaveLength(MAX_NOTED_FILES + 4);
	expect(told).toContain("… and 7 more");
	await bed.close();
});

test("[CG13] a deleted conversation's changes are forgotten, by the recorder and by core", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	bed.conversations.prompt({ conversationId: id, prompt: "Go", origin: "web" });
	await bed.runtime.nextTurn();
	bed.shell.job({ bashId: "bash_1", conversationId: id, command: "sleep 9", status: "running", startedAt: "2026" });
	const deleted = bed.conversations.delete(id);
	await bed.clock.advance(6_000);
	await deleted;
	expect(bed.tracker.forgotten).toEqual([id]);
	expect(createUntoldChanges(bed.store.settings).left()).toEqual([]);
	await bed.close();
});

test("[CG14] what waits to be told is bounded; the oldest give way", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	const untold = createUntoldChanges(bed.store.settings);
	bed.store.transaction(() => {
		for (let n = 0; n < MAX_UNTOLD + 5; n += 1) untold.add({ conversationId: id, changeId: `g${n}` });
	});
	const left = createUntoldChanges(bed.store.settings).left();
	expect(left).toHaveLength(MAX_UNTOLD);
	expect(left[0]?.changeId).toBe("g5");
	expect(untold.left()).toEqual([]);
	await bed.close();
});

test("[CG15] the recorder hears of a conversation's folder before anything runs in it", async () => {
	const bed = await createCoreBed();
	const id = await bed.begin();
	expect(bed.tracker.prepared).toEqual(["/somewhere"]);
	await bed.conversations.update(id, { cwd: "/elsewhere" });
	await bed.conversations.update(id, { title: "Other" });
	expect(bed.tracker.prepared).toEqual(["/somewhere", "/elsewhere"]);
	await bed.close();
});
